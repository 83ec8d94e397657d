'use strict';
// Verifies an evidence pack as described in docs/evidence.md, without the service.

const FORMAT = 'tidewaiter-evidence-1';
const LIMITS = [
  'Who owns the key. Compare its fingerprint with the one that the trader or the operator of the service gave you, or with an earlier pack.',
  'Whether the clock of the service was right, and whether the entered data is true.',
  'Whether events are missing. Each event has a proof that it is in the audit trail, but only the whole trail shows that there are no others. A gap in the changes of status is detected.',
  'Whether the whole audit trail was replaced before this pack was made. If you have an earlier checkpoint, ask the operator for a proof that the trail extends it.',
];
const MOST_FILES = 25000, MOST_BYTES = (1 << 30) + (64 << 20), MOST_ROWS = 1000;

// Bytes and texts.

const utf8 = new TextEncoder();
const text = bytes => new TextDecoder('utf-8', { fatal: true }).decode(bytes);
const hex = bytes => Array.from(bytes, b => b.toString(16).padStart(2, '0')).join('');
const isHash = s => typeof s === 'string' && /^[0-9a-f]{64}$/.test(s);
const unhex = s => Uint8Array.from(s.match(/../g) || [], pair => parseInt(pair, 16));
const unbase64 = s => Uint8Array.from(atob(s), c => c.charCodeAt(0));
const sha256 = async bytes => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
const hmac = async (key, bytes) => {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, bytes));
};
const same = (a, b) => a.length === b.length && a.every((x, i) => x === b[i]);

function join(...parts) {
  const all = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const p of parts) { all.set(p, at); at += p.length; }
  return all;
}

// canonical returns the JSON array of texts that is hashed and signed.
function canonical(texts) {
  const escaped = c => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0');
  return utf8.encode(JSON.stringify(texts).replace(/[<>&\u2028\u2029]/g, escaped));
}

// Two sources of a pack: a ZIP, or the files of a folder.

async function openZip(blob) {
  const view = async (from, to) => new DataView(await blob.slice(from, to).arrayBuffer());
  const tail = await view(Math.max(0, blob.size - 65557), blob.size);
  let end = tail.byteLength - 22;
  while (end >= 0 && tail.getUint32(end, true) !== 0x06054b50) end--;
  if (end < 0) throw new Error('This is not a ZIP file.');
  const count = tail.getUint16(end + 10, true), size = tail.getUint32(end + 12, true), start = tail.getUint32(end + 16, true);
  if (count > MOST_FILES || start + size > blob.size) throw new Error('This ZIP file cannot be read.');
  const directory = await view(start, start + size), entries = new Map();
  for (let i = 0, at = 0; i < count; i++) {
    if (directory.getUint32(at, true) !== 0x02014b50) throw new Error('This ZIP file cannot be read.');
    const lengths = [28, 30, 32].map(o => directory.getUint16(at + o, true));
    const name = text(new Uint8Array(directory.buffer, at + 46, lengths[0]));
    if (entries.has(name)) throw new Error(name + ' is in the pack twice.');
    entries.set(name, { method: directory.getUint16(at + 10, true), packed: directory.getUint32(at + 20, true), size: directory.getUint32(at + 24, true), offset: directory.getUint32(at + 42, true) });
    at += 46 + lengths[0] + lengths[1] + lengths[2];
  }
  const read = async name => {
    const e = entries.get(name), local = await view(e.offset, e.offset + 30);
    const from = e.offset + 30 + local.getUint16(26, true) + local.getUint16(28, true);
    const raw = blob.slice(from, from + e.packed);
    if (e.method === 0) return new Uint8Array(await raw.arrayBuffer());
    if (e.method !== 8) throw new Error('This ZIP file cannot be read.');
    if (typeof DecompressionStream === 'undefined') throw new Error('This browser cannot open ZIP files. Unpack it, and choose the folder.');
    return inflate(raw, e.size);
  };
  return { names: [...entries.keys()], read };
}

// inflate stops at the size that the ZIP file announces.
async function inflate(blob, size) {
  const all = new Uint8Array(size), reader = blob.stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  for (let at = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return all.subarray(0, at);
    if (at + value.length > size) throw new Error('A file is larger than the ZIP says.');
    all.set(value, at);
    at += value.length;
  }
}

// openFolder ignores files that file managers add.
function openFolder(files) {
  const all = new Map();
  for (const { name, file } of files) {
    if (!/(^|\/)(\.[^/]*|Thumbs\.db|desktop\.ini)$/.test(name)) all.set(name, file);
  }
  return { names: [...all.keys()], read: async name => new Uint8Array(await all.get(name).arrayBuffer()) };
}

// The check.

class Check {
  constructor(source) {
    this.source = source;
    this.findings = [];
    this.limits = [...LIMITS];
    this.facts = {};
    this.events = [];
    this.timeline = [];
    this.digests = new Map();
    this.compared = 0; // unchanged personal values
    this.erased = 0;
  }

  holds(what) { this.findings.push({ state: 'holds', text: what }); }
  fails(what) { this.findings.push({ state: 'fails', text: what }); }
  unknown(what) { this.findings.push({ state: 'unknown', text: what }); }
  failures() { return this.findings.filter(f => f.state === 'fails').length; }

  async json(name) { return JSON.parse(text(await this.source.read(name))); }

  async all() {
    this.manifest = this.source.names.includes('manifest.json') ? await this.json('manifest.json') : {};
    if (this.manifest.format !== FORMAT) throw new Error('This is not an evidence pack of a format that this page knows.');
    Object.assign(this.facts, { 'Kind of record': this.manifest.kind, 'Record': this.manifest.recordId, 'Organisation': this.manifest.organisationId, 'Made by': this.manifest.program });
    await this.files();
    for (const [part, complaint] of [
      [this.signature, 'The signature of the manifest cannot be read.'], [this.checkpoint, 'The checkpoint cannot be read.'],
      [this.chain, 'The events cannot be read.'], [this.story, 'The timeline cannot be read.'], [this.record, 'The record cannot be read.'],
    ]) {
      try { await part.call(this); } catch (e) { this.fails(complaint); }
    }
    return this;
  }

  // files compares every file with the manifest.
  async files() {
    const before = this.failures();
    let bytes = 0;
    for (const f of this.manifest.files) {
      if (this.digests.has(f.name)) this.fails(f.name + ' is in the manifest twice.');
      this.digests.set(f.name, f.sha256);
      if (!this.source.names.includes(f.name)) { this.fails(f.name + ' is missing.'); continue; }
      let content = null;
      try { content = (bytes += f.bytes) > MOST_BYTES ? null : await this.source.read(f.name); } catch (e) { content = null; }
      if (!content || content.length !== f.bytes || hex(await sha256(content)) !== f.sha256) this.fails(f.name + ' does not match the manifest.');
    }
    for (const name of this.source.names) {
      if (!this.digests.has(name) && name !== 'manifest.json' && name !== 'signature.json') this.fails(name + ' is not in the manifest. It was added later.');
    }
    if (this.failures() === before) this.holds('All ' + this.manifest.files.length + ' files match the manifest.');
  }

  // signature verifies the signature of the manifest.
  async signature() {
    const s = await this.json('signature.json'), raw = unbase64(s.publicKey);
    if (s.algorithm !== 'Ed25519' || raw.length !== 32) throw new Error();
    this.fingerprint = hex(await sha256(raw));
    this.facts['Fingerprint of the key'] = this.fingerprint;
    try {
      this.key = await crypto.subtle.importKey('raw', raw, { name: 'Ed25519' }, false, ['verify']);
    } catch (e) {
      this.unknown('This browser cannot check Ed25519 signatures. Everything else is checked. For the signatures use a browser of 2025 or later, or the command: tidewaiter evidence verify FILE.');
    }
    if (s.fingerprint !== this.fingerprint) { this.fails('The fingerprint in signature.json does not match the key.'); return; }
    if (!this.key) return;
    const digest = hex(await sha256(await this.source.read('manifest.json')));
    if (await this.signed(s.signature, ['tidewaiter-manifest-1', digest])) this.holds('The manifest is signed by the key ' + this.fingerprint + '.');
    else this.fails('The signature of the manifest is not valid.');
  }

  signed(signature, texts) { return crypto.subtle.verify({ name: 'Ed25519' }, this.key, unbase64(signature), canonical(texts)); }

  // checkpoint verifies the signature of the checkpoint.
  async checkpoint() {
    const c = this.head = await this.json('checkpoint.json');
    this.facts['Checkpoint of the trail'] = c.sequence + ':' + c.hash;
    if (c.organisationId !== this.manifest.organisationId) { this.fails("The checkpoint belongs to another organisation."); return; }
    if (c.keyFingerprint !== this.fingerprint) { this.fails('The signature of the checkpoint is not valid.'); return; }
    if (!this.key) return;
    const texts = ['tidewaiter-checkpoint-1', c.organisationId, String(c.sequence), c.hash, c.eventId, c.occurredAt, c.rootHash];
    if (await this.signed(c.signature, texts)) this.holds('The checkpoint of event ' + c.sequence + ' is signed by the same key.');
    else this.fails('The signature of the checkpoint is not valid.');
  }

  // chain computes every event's hash and verifies its proof.
  async chain() {
    const before = this.failures(), list = (await this.json('events.json')).events, head = this.head;
    let last = 0;
    for (const e of list) {
      const called = 'Event ' + e.sequence + ' (' + e.id + ') ';
      const hash = hex(await sha256(canonical([
        'tidewaiter-audit-1', this.manifest.organisationId, String(e.sequence), e.id, e.occurredAt, e.hub, e.eventType, e.resourceType, e.resourceId,
        e.fromStatus, e.toStatus, e.actorUserId, e.actorType, e.keyId, e.requestId, e.ipAddress, e.data, e.previousHash,
      ])));
      if (hash !== e.hash) this.fails(called + 'has been changed.');
      else if (!await included(e, head)) this.fails(called + 'has no valid proof that it is in the audit trail.');
      else if (e.resourceId !== this.manifest.recordId) this.fails(called + 'belongs to another record.');
      else if (e.sequence <= last) this.fails(called + 'is out of order.');
      else if (e.sequence === head.sequence && (e.hash !== head.hash || e.id !== head.eventId || e.occurredAt !== head.occurredAt)) this.fails(called + 'is not the event in the checkpoint.');
      await this.personal(e, called);
      last = e.sequence;
    }
    this.events = list;
    if (list.length > 0 && last !== head.sequence) this.fails('The last event, ' + last + ', is not the event in the checkpoint.');
    if (this.failures() === before) this.holds('All ' + list.length + ' events are unchanged, and are in the audit trail up to event ' + head.sequence + '.' + this.ofPersonal());
  }

  // personal compares the values beside an event with the hashes in it, and counts those that were erased.
  async personal(e, called) {
    for (const p of e.personal || []) {
      if (p.value === null && p.salt === null) { this.erased++; continue; }
      if (p.value !== null && p.salt !== null && held(e, p.name) === 'personal:' + hex(await hmac(unhex(p.salt), utf8.encode(p.value)))) this.compared++;
      else this.fails(called + 'was recorded with a different personal value ' + p.name + '.');
    }
  }

  // ofPersonal returns the counts of personal values; '' without any.
  ofPersonal() {
    if (this.compared + this.erased === 0) return '';
    return ' Personal values: ' + this.compared + ' unchanged, ' + this.erased + ' erased.';
  }

  // story compares the timeline with the events and the messages.
  async story() {
    const before = this.failures(), messages = new Set();
    this.timeline = (await this.json('timeline.json')).timeline;
    let next = 0, latest = '';
    for (const m of this.timeline) {
      if (m.occurredAt < latest) this.fails('The timeline is out of order at ' + m.occurredAt + '.');
      latest = m.occurredAt;
      if (m.kind !== 'event') {
        messages.add(m.file);
        if (!this.digests.has(m.file)) this.fails('The timeline names ' + m.file + ', which is not in the manifest.');
        continue;
      }
      if (!tells(m, this.events[next++])) this.fails('The timeline shows event ' + m.sequence + ' differently from events.json.');
    }
    if (next < this.events.length) this.fails('The timeline does not contain event ' + this.events[next].sequence + '.');
    for (const name of this.digests.keys()) {
      if (isMessage(name) && !messages.has(name)) this.fails('The timeline does not contain ' + name + '.');
    }
    let status = '';
    for (const e of this.events.filter(one => one.toStatus)) {
      if (status && e.fromStatus !== status) this.fails('Event ' + e.sequence + ' starts from the status ' + e.fromStatus + ', but the previous event ended in ' + status + '.');
      status = e.toStatus;
    }
    if (this.failures() === before) this.holds('The timeline contains these events and ' + messages.size + ' messages, and each status follows from the previous one.');
  }

  // record compares the record, its contents and its messages with the events.
  async record() {
    const record = Object.values(await this.json('record.json'))[0], told = new Set();
    let status = '', body = null;
    for (const e of this.events) {
      const data = e.data ? JSON.parse(e.data) : {};
      status = e.toStatus || status;
      if (data.sha256 || data.after) body = data.sha256 || null;
      for (const digest of [data.sentSha256, data.receivedSha256]) if (digest) told.add(digest);
    }
    if (record.id !== this.manifest.recordId || status && record.status !== status) this.fails('The record does not match its events: its ID or its status differs.');
    else if (status) this.holds('The record is ' + record.status + ', as in its last event.');
    await this.contents(record, body);
    this.messages(told);
  }

  async contents(record, digest) {
    if (!digest) { this.limits.push('Whether the contents of the record match its events: no event has their digest.'); return; }
    if (this.digests.get('body.json') !== digest) { this.fails('The contents of the record (body.json) do not match its events.'); return; }
    const entered = await this.json('body.json');
    const within = Object.keys(entered).every(name => JSON.stringify(record[name]) === JSON.stringify(entered[name]));
    if (within) this.holds('The contents of the record match the digest in its events.');
    else this.fails('The record (record.json) does not contain the data that was entered (body.json).');
  }

  messages(told) {
    const files = [...this.digests].filter(([name]) => isMessage(name)).map(([, digest]) => digest), have = new Set(files);
    const missing = [...told].filter(digest => !have.has(digest)).length;
    if (missing) this.fails(missing + ' messages of events are missing from the pack.');
    else if (files.length) this.holds('Of ' + files.length + ' messages, events contain the digests of ' + files.filter(d => told.has(d)).length + '; the others are covered by the signature only.');
  }

  // state returns the overall result.
  state() {
    if (this.failures()) return 'fails';
    return this.findings.some(f => f.state === 'unknown') || !this.findings.length ? 'unknown' : 'holds';
  }
}

const isMessage = name => /^(sent|received)\//.test(name) && !name.endsWith('.headers.json');
const tells = (m, e) => e && ['occurredAt', 'fromStatus', 'toStatus', 'actorUserId'].every(name => (m[name] || '') === e[name]) && m.sequence === e.sequence && m.title === e.eventType;

// held returns the value of a field of an event: the address, or a member of the data.
function held(e, name) {
  if (name === 'ipAddress') return e.ipAddress;
  return name.startsWith('data.') && e.data ? JSON.parse(e.data)[name.slice(5)] : undefined;
}

// included reports whether an event is in the tree of a checkpoint (RFC 9162, section 2.1.3.2).
async function included(e, head) {
  if (![e.hash, head.rootHash, ...e.proof].every(isHash) || e.sequence < 1 || e.sequence > head.sequence) return false;
  let at = e.sequence - 1, last = head.sequence - 1, hash = await sha256(join([0], unhex(e.hash)));
  for (const p of e.proof.map(unhex)) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      hash = await sha256(join([1], p, hash));
      while (at % 2 === 0 && at !== 0) { at = Math.floor(at / 2); last = Math.floor(last / 2); }
    } else {
      hash = await sha256(join([1], hash, p));
    }
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  return last === 0 && same(hash, unhex(head.rootHash));
}

// checkPack checks a ZIP.
async function checkPack(blob) { return new Check(await openZip(blob)).all(); }

// The page.

const byId = id => document.getElementById(id);
const VERDICTS = {
  holds: 'All checks passed: the pack is unchanged.',
  fails: 'This pack has been changed. Do not rely on it.',
  unknown: 'No error was found, but not everything could be checked.',
};
const MARKS = { holds: 'Passed: ', fails: 'Failed: ', unknown: 'Not checked: ' };

function element(name, content, className) {
  const e = document.createElement(name);
  e.textContent = content;
  if (className) e.className = className;
  return e;
}

function say(state, what) {
  byId('verdict').textContent = what;
  byId('verdict').dataset.state = state;
}

function show(check) {
  const facts = Object.entries(check.facts).flatMap(([name, value]) => [element('dt', name), element('dd', value)]);
  byId('facts').replaceChildren(...facts);
  byId('findings').replaceChildren(...check.findings.map(f => {
    const item = element('li', '', f.state);
    item.append(element('span', MARKS[f.state], 'mark'), f.text);
    return item;
  }));
  byId('limits').replaceChildren(...check.limits.map(l => element('li', l)));
  byId('timeline').replaceChildren(...check.timeline.slice(0, MOST_ROWS).map(m => {
    const row = document.createElement('tr'), what = { sent: 'Sent: ', received: 'Received: ', event: '' }[m.kind] + m.title;
    const status = m.toStatus && m.fromStatus !== m.toStatus ? (m.fromStatus ? m.fromStatus + ' → ' : '') + m.toStatus : m.outcome || '';
    row.append(...[m.occurredAt, what, status, m.file || ''].map(cell => element('td', cell)));
    return row;
  }));
  byId('more').textContent = check.timeline.length > MOST_ROWS ? 'And ' + (check.timeline.length - MOST_ROWS) + ' more, in timeline.json.' : '';
  byId('result').hidden = false;
  say(check.state(), VERDICTS[check.state()]);
}

async function run(open) {
  byId('result').hidden = true;
  say('', 'Checking …');
  byId('verdict').removeAttribute('data-state');
  if (!globalThis.crypto || !crypto.subtle) {
    say('unknown', 'This browser cannot compute digests here, so nothing was checked. Use a newer one, or the command: tidewaiter evidence verify FILE.');
    return;
  }
  try {
    show(await new Check(await open()).all());
  } catch (e) {
    say('fails', e.message || 'The pack cannot be read.');
  }
}

// withoutTop returns the path within the chosen folder.
const withoutTop = path => path.split('/').slice(1).join('/');

// walk lists the files below a dropped folder.
async function walk(entry, path, all) {
  if (entry.isFile) {
    all.push({ name: path, file: await new Promise((done, failed) => entry.file(done, failed)) });
    return all;
  }
  const reader = entry.createReader();
  for (; ;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (!some.length) return all;
    for (const one of some) await walk(one, path ? path + '/' + one.name : one.name, all);
  }
}

byId('file').addEventListener('change', e => { if (e.target.files.length) run(() => openZip(e.target.files[0])); });
byId('folder').addEventListener('change', e => {
  const files = Array.from(e.target.files, file => ({ name: withoutTop(file.webkitRelativePath), file }));
  if (files.length) run(() => openFolder(files));
});
for (const name of ['dragover', 'dragleave', 'drop']) {
  document.addEventListener(name, e => { e.preventDefault(); byId('drop').classList.toggle('over', name === 'dragover'); });
}
document.addEventListener('drop', e => {
  const dropped = e.dataTransfer.items[0], entry = dropped && dropped.webkitGetAsEntry && dropped.webkitGetAsEntry(), file = e.dataTransfer.files[0];
  if (entry && entry.isDirectory) run(async () => openFolder(await walk(entry, '', [])));
  else if (file) run(() => openZip(file));
});
