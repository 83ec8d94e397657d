// Package ocr reads the words of pictures with Tesseract, if that is installed: as a process of its own without the
// service's environment, one at a time, with limits for time, the picture and the output. Nothing is written to disk.
package ocr

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // the formats that are read
	_ "image/png"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Limits of one picture.
const (
	maxPixels  = 30_000_000 // an A4 page at 600 dots per inch has 35 million, at 300 nine
	timeout    = 20 * time.Second
	maxOutput  = 4 << 20
	pipesDelay = time.Second // for the program's children after its end
)

// ErrTooLarge says that a picture has too many pixels.
var ErrTooLarge = errors.New("ocr: the picture has more than 30 million pixels")

// wanted are the languages of documents; those that are installed are used.
var wanted = []string{"eng", "deu", "fra", "spa", "ita", "nld", "swe", "pol"}

// Tesseract is the installed program.
type Tesseract struct {
	path      string
	languages string
	free      chan struct{} // holds a token while no picture is read
}

// Find returns the installed program, or nil.
func Find() *Tesseract {
	path, err := exec.LookPath("tesseract")
	if err != nil {
		return nil
	}
	t := &Tesseract{path: path, free: make(chan struct{}, 1)}
	t.free <- struct{}{}
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	list, err := t.run(ctx, nil, "--list-langs")
	if err != nil {
		return nil
	}
	installed := strings.Fields(string(list))
	t.languages = strings.Join(slices.DeleteFunc(slices.Clone(wanted), func(l string) bool { return !slices.Contains(installed, l) }), "+")
	if t.languages == "" {
		return nil
	}
	return t
}

// Word is a word with its edges in pixels from the upper left corner, and how sure the program is of it in percent.
type Word struct {
	Text                     string
	Left, Top, Right, Bottom int
	LineHeight               int
	Sure                     int
}

// Page is the words of a picture and its size in pixels.
type Page struct {
	Words         []Word
	Width, Height int
}

// Read reads a PNG or JPEG.
func (t *Tesseract) Read(ctx context.Context, picture []byte) (Page, error) {
	head, _, err := image.DecodeConfig(bytes.NewReader(picture))
	if err != nil {
		return Page{}, fmt.Errorf("ocr: %w", err)
	}
	if head.Width*head.Height > maxPixels {
		return Page{}, ErrTooLarge
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	select {
	case <-t.free:
		defer func() { t.free <- struct{}{} }()
	case <-ctx.Done():
		return Page{}, ctx.Err()
	}
	table, err := t.run(ctx, picture, "stdin", "stdout", "-l", t.languages, "--psm", "4", "tsv")
	if err != nil {
		return Page{}, err
	}
	return Page{wordsOf(string(table)), head.Width, head.Height}, nil
}

// run runs the program with a file on its standard input.
func (t *Tesseract) run(ctx context.Context, input []byte, arguments ...string) ([]byte, error) {
	var output limitedBuffer
	c := exec.CommandContext(ctx, t.path, arguments...) // #nosec G204 -- the installed program with fixed arguments
	c.Stdin, c.Stdout, c.WaitDelay = bytes.NewReader(input), &output, pipesDelay
	c.Env = []string{"OMP_THREAD_LIMIT=1"}
	if err := c.Run(); err != nil {
		return nil, fmt.Errorf("ocr: tesseract: %w", err)
	}
	return output.Bytes(), nil
}

// limitedBuffer keeps the first maxOutput bytes.
type limitedBuffer struct{ bytes.Buffer }

func (b *limitedBuffer) Write(p []byte) (int, error) {
	if room := maxOutput - b.Len(); room > 0 {
		_, _ = b.Buffer.Write(p[:min(len(p), room)])
	}
	return len(p), nil
}
