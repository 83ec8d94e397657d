package simulator

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
)

// maxLine is the maximum size of a record in bytes; a CDS declaration of 999 goods items makes about three million.
const maxLine = 64 << 20

// Journal stores what a simulator received and sent: records of type R, one JSON object per line. A record is durable
// once its batch has been written and synchronised; concurrent callers share a batch. The state of a simulator changes by
// records only, so that reading the journal again gives the same state.
type Journal[R any] struct {
	file    *os.File   // nil: nothing is stored
	mu      sync.Mutex // over batch
	batch   *Batch
	writing sync.Mutex // held during a write; protects the following fields
	size    int64      // bytes of complete records in the file
	torn    bool       // a failed write may have left an incomplete record
	closed  bool
}

// Batch holds records that are about to be written.
type Batch struct {
	lines   bytes.Buffer
	written bool
	err     error
}

// Enqueue adds a record to the current batch.
func (j *Journal[R]) Enqueue(r R) *Batch {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.file != nil {
		encodeTo(&j.batch.lines, r)
	}
	return j.batch
}

// Commit returns when the batch is on the disk. The first caller writes it for all.
func (j *Journal[R]) Commit(b *Batch) error {
	j.writing.Lock()
	defer j.writing.Unlock()
	if b.written {
		return b.err
	}
	j.mu.Lock()
	j.batch = new(Batch)
	j.mu.Unlock()
	b.written, b.err = true, j.write(b.lines.Bytes())
	b.lines = bytes.Buffer{}
	return b.err
}

// write appends records. An incomplete record of a failed write is removed first, so that the journal works again as soon as
// the disk has space.
func (j *Journal[R]) write(lines []byte) error {
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
func (j *Journal[R]) repair() error {
	if err := j.file.Truncate(j.size); err != nil {
		return err
	}
	return j.file.Sync()
}

// Close closes the file. Later commits fail.
func (j *Journal[R]) Close() error {
	j.writing.Lock()
	defer j.writing.Unlock()
	if j.file == nil {
		return nil
	}
	j.closed = true
	return j.file.Close()
}

// encodeTo cannot fail: records are plain values, and buffers do not fail.
func encodeTo[R any](w io.Writer, r R) {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(r)
}

// NewJournal makes a journal that stores nothing.
func NewJournal[R any]() *Journal[R] { return &Journal[R]{batch: new(Batch)} }

// State is the state of a simulator, which its records change.
type State[R any] interface {
	// Apply changes the state by a record that is read.
	Apply(R)
	// Records returns records that make the present state. They replace those of the file.
	Records() iter.Seq[R]
}

// OpenJournal reads the journal of a folder into a state and continues it. A missing file is an empty journal.
func OpenJournal[R any](folder, name string, s State[R], log *slog.Logger) (*Journal[R], error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("simulator: making the folder: %w", err)
	}
	path := filepath.Join(folder, name)
	size, err := readJournal(path, s)
	if err != nil {
		return nil, err
	}
	return startJournal(folder, path, s, size, log)
}

// readJournal returns the number of bytes of complete records.
func readJournal[R any](path string, s State[R]) (size int64, err error) {
	file, err := os.Open(path) // #nosec G304 -- in the data folder
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("simulator: opening the journal: %w", err)
	}
	defer file.Close()
	return readRecords(file, s)
}

// readRecords applies every line and returns their length in bytes. The last line may be incomplete after a crash; its
// batch was never acknowledged.
func readRecords[R any](from io.Reader, s State[R]) (size int64, err error) {
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 0, bufio.MaxScanTokenSize), maxLine)
	var torn error
	for n := 1; lines.Scan(); n++ {
		if torn != nil {
			return size, torn
		}
		var r R
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			torn = fmt.Errorf("simulator: line %d of the journal: %w", n, err)
			continue
		}
		s.Apply(r)
		size += int64(len(lines.Bytes())) + 1
	}
	if err := lines.Err(); err != nil {
		return size, fmt.Errorf("simulator: reading the journal: %w", err)
	}
	return size, nil
}

// startJournal writes the state into a new file, replaces the old one and continues there. If the disk is full, it
// continues in the old one after its first size bytes.
func startJournal[R any](folder, path string, s State[R], size int64, log *slog.Logger) (*Journal[R], error) {
	j, err := rewrite(folder, path, s)
	if err == nil || size == 0 {
		return j, err
	}
	_ = os.Remove(path + ".new")
	log.Warn("the simulator's journal goes on without being rewritten", "error", err)
	file, failed := os.OpenFile(path, os.O_WRONLY, 0o600) // #nosec G304 -- in the data folder
	if failed != nil {
		return nil, errors.Join(err, failed)
	}
	return &Journal[R]{file: file, batch: new(Batch), size: size, torn: true}, nil
}

func rewrite[R any](folder, path string, s State[R]) (*Journal[R], error) {
	file, err := os.OpenFile(path+".new", os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600) // #nosec G304 -- in the data folder
	if err != nil {
		return nil, fmt.Errorf("simulator: creating the journal: %w", err)
	}
	for _, step := range []func() error{
		func() error { return writeRecords(file, s) },
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
	return &Journal[R]{file: file, batch: new(Batch), size: info.Size()}, nil
}

func writeRecords[R any](to io.Writer, s State[R]) error {
	out := bufio.NewWriter(to)
	for r := range s.Records() {
		encodeTo(out, r)
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
