package simulator

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
)

const (
	journalName = "simulator.jsonl"
	maxLine     = 64 << 20 // bytes of a record; 999 goods items make about three million
)

// journal stores the records, one JSON object per line. A record is durable once its batch has been written and synchronised;
// concurrent callers share a batch. Without a file it stores nothing.
type journal struct {
	file    *os.File
	mu      sync.Mutex // over batch
	batch   *batch
	writing sync.Mutex // held during a write; protects the following fields
	size    int64      // bytes of complete records in the file
	torn    bool       // a failed write may have left an incomplete record
	closed  bool
}

// batch holds records that are about to be written.
type batch struct {
	lines   bytes.Buffer
	written bool
	err     error
}

// enqueue adds a record to the current batch.
func (j *journal) enqueue(r record) *batch {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file != nil {
		encodeTo(&j.batch.lines, r)
	}
	return j.batch
}

// commit returns when the batch is on the disk. The first caller writes it for all.
func (j *journal) commit(b *batch) error {
	j.writing.Lock()
	defer j.writing.Unlock()
	if b.written {
		return b.err
	}
	j.mu.Lock()
	j.batch = new(batch)
	j.mu.Unlock()
	b.written, b.err = true, j.write(b.lines.Bytes())
	b.lines = bytes.Buffer{}
	return b.err
}

// write appends records. An incomplete record of a failed write is removed first, so that the journal works again as soon as
// the disk has space.
func (j *journal) write(lines []byte) error {
	switch {
	case j.closed:
		return fs.ErrClosed
	case j.file == nil:
		return nil
	case j.torn:
		if err := j.repair(); err != nil {
			return fmt.Errorf("simulator: mending the journal: %w", err)
		}
	}
	j.torn = true
	if _, err := j.file.WriteAt(lines, j.size); err != nil {
		return fmt.Errorf("simulator: writing the journal: %w", err)
	}
	if err := j.file.Sync(); err != nil {
		return fmt.Errorf("simulator: synchronising the journal: %w", err)
	}
	j.torn = false
	j.size += int64(len(lines))
	return nil
}

// repair truncates the file after the last complete record.
func (j *journal) repair() error {
	if err := j.file.Truncate(j.size); err != nil {
		return err
	}
	return j.file.Sync()
}

func (j *journal) close() error {
	j.writing.Lock()
	defer j.writing.Unlock()
	if j.file == nil {
		return nil
	}
	j.closed = true
	return j.file.Close()
}

// encodeTo cannot fail: records are plain values, and buffers do not fail.
func encodeTo(w io.Writer, r record) {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(r)
}

// readJournal reads the registry from a folder and returns the number of bytes of complete records. An empty folder gives an
// empty registry.
func readJournal(folder string) (b *registry, size int64, err error) {
	b = newRegistry()
	file, err := os.Open(filepath.Join(folder, journalName)) // #nosec G304 -- in the data folder
	if errors.Is(err, fs.ErrNotExist) {
		return b, 0, nil
	}
	if err != nil {
		return nil, 0, fmt.Errorf("simulator: opening the journal: %w", err)
	}
	defer file.Close()
	size, err = b.read(file)
	return b, size, err
}

// read applies every line and returns their length in bytes. The last line may be incomplete after a crash; its batch was never
// acknowledged.
func (b *registry) read(from io.Reader) (size int64, err error) {
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 0, bufio.MaxScanTokenSize), maxLine)
	var torn error
	for n := 1; lines.Scan(); n++ {
		if torn != nil {
			return size, torn
		}
		var r record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			torn = fmt.Errorf("simulator: line %d of the journal: %w", n, err)
			continue
		}
		b.apply(r)
		size += int64(len(lines.Bytes())) + 1
	}
	if err := lines.Err(); err != nil {
		return size, fmt.Errorf("simulator: reading the journal: %w", err)
	}
	return size, nil
}

// startJournal writes the registry into a new file, replaces the old one and continues there. If the disk is full, it continues
// in the old one after its first size bytes.
func startJournal(folder string, b *registry, size int64, log *slog.Logger) (*journal, error) {
	path := filepath.Join(folder, journalName)
	j, err := rewrite(folder, path, b)
	if err == nil || size == 0 {
		return j, err
	}
	_ = os.Remove(path + ".new")
	log.Warn("the simulator's journal goes on without being rewritten", "error", err)
	file, failed := os.OpenFile(path, os.O_WRONLY, 0o600) // #nosec G304 -- in the data folder
	if failed != nil {
		return nil, errors.Join(err, failed)
	}
	return &journal{file: file, batch: new(batch), size: size, torn: true}, nil
}

func rewrite(folder, path string, b *registry) (*journal, error) {
	file, err := os.OpenFile(path+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600) // #nosec G304 -- in the data folder
	if err != nil {
		return nil, fmt.Errorf("simulator: creating the journal: %w", err)
	}
	for _, step := range []func() error{
		func() error { return b.write(file) },
		file.Sync,
		func() error { return os.Rename(path+".new", path) },
		func() error { return syncFolder(folder) },
	} {
		if err := step(); err != nil {
			return nil, errors.Join(fmt.Errorf("simulator: rewriting the journal: %w", err), file.Close())
		}
	}
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("simulator: rewriting the journal: %w", err), file.Close())
	}
	return &journal{file: file, batch: new(batch), size: info.Size()}, nil
}

func (b *registry) write(to io.Writer) error {
	out := bufio.NewWriter(to)
	encodeTo(out, record{Count: b.count})
	for _, c := range b.all {
		encodeTo(out, record{Opened: c})
	}
	return out.Flush()
}

// syncFolder makes a rename durable.
func syncFolder(folder string) error {
	d, err := os.Open(folder) // #nosec G304 -- the data folder
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
