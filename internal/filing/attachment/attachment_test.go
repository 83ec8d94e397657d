package attachment_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
)

// The content decides what a file is, not its name.
func TestMediaType(t *testing.T) {
	for content, want := range map[string]string{
		"%PDF-1.7":             attachment.PDF,
		"\xff\xd8\xff\xe0\x00": attachment.JPEG,
		"\x89PNG\r\n\x1a\n":    attachment.PNG,
		"Größe\t1\r\n":         attachment.Text,
		"":                     "",
		"GIF89a\x00\x01":       "",
		"PK\x03\x04":           "",
		"MZ\x90\x00":           "",
		"caf\xe9":              "",
		"a\x00b":               "",
		"\x1b[2J":              "",
	} {
		if got, ok := attachment.MediaType([]byte(content)); got != want || ok != (want != "") {
			t.Errorf("%q is %q", content, got)
		}
	}
}

// A file name has no folder and nothing that cannot be printed, and is never longer than file systems allow.
func TestCleanName(t *testing.T) {
	for name, want := range map[string]string{
		"invoice.pdf": "invoice.pdf", `C:\docs\a b.pdf`: "a b.pdf", "../../etc/passwd": "passwd", "..": "", "": "", " ": "", "a\x00\nb.txt": "ab.txt",
		"x\u202egpj.exe": "xgpj.exe", strings.Repeat("ä", 150) + ".txt": strings.Repeat("ä", 100),
	} {
		if got := attachment.CleanName(name); got != want {
			t.Errorf("%q becomes %q, not %q", name, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"a.txt", "text", ""}, {"", "text", "needs a file name"}, {"a.txt", "", "is empty"}, {"a.txt", "12345", "is larger than 10 MB"}, {"a.pdf", "MZ\x90", "must be a PDF"},
	} {
		if got := attachment.Check(attachment.File{Name: c.name, Content: []byte(c.content)}, 4); got != c.want && (c.want == "" || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%q %q: %q", c.name, c.content, got)
		}
	}
}

// chunks are the parts of one file.
type chunks [][]byte

func (c chunks) AttachmentChunk(_ string, n int) ([]byte, error) { return c[n], nil }

// Content that was changed is not given out.
func TestContentIsVerified(t *testing.T) {
	whole := bytes.Repeat([]byte("0123456789abcdef"), attachment.ChunkSize/16+1)
	parts := chunks{whole[:attachment.ChunkSize], whole[attachment.ChunkSize:]}
	a := attachment.Attachment{ID: "a", Size: int64(len(whole)), SHA256: fmt.Sprintf("%x", sha256.Sum256(whole))}
	if got, err := attachment.Content(parts, &a); err != nil || !bytes.Equal(got, whole) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
	parts[1] = append([]byte("X"), parts[1][1:]...)
	if _, err := attachment.Content(parts, &a); err == nil {
		t.Error("changed content was given out")
	}
}

// The scanner's exit status decides. It gets the file on its standard input and only the environment that is given, and
// has a time limit.
func TestScanner(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("there is no shell")
	}
	t.Setenv("TIDEWAITER_MASTER_KEY", "secret")
	environment := []string{"PATH=" + os.Getenv("PATH")}
	scan := func(script string, timeout time.Duration) (attachment.Verdict, error) {
		s := attachment.Scanner{Command: []string{"sh", "-c", script}, Timeout: timeout, Env: environment}
		return s.Scan(t.Context(), bytes.Repeat([]byte("virus "), 1<<16))
	}
	for _, c := range []struct {
		script string
		want   attachment.Verdict
		fails  bool
	}{
		{"exit 0", attachment.Verdict{}, false},
		{"cat >/dev/null", attachment.Verdict{}, false},
		{"grep -q virus && echo found '  it' && exit 1", attachment.Verdict{Infected: true, Reason: "found it"}, false},
		{`test -z "$TIDEWAITER_MASTER_KEY"`, attachment.Verdict{}, false},
		{"exit 2", attachment.Verdict{}, true},
		{"kill -9 $$", attachment.Verdict{}, true},
	} {
		got, err := scan(c.script, time.Minute)
		if got != c.want || (err != nil) != c.fails {
			t.Errorf("%s: %v %v", c.script, got, err)
		}
	}
	if _, err := scan("exec sleep 60", 50*time.Millisecond); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("beyond the time limit: %v", err)
	}
	missing := attachment.Scanner{Command: []string{"/no/such/program"}, Timeout: time.Minute}
	if _, err := missing.Scan(t.Context(), nil); err == nil {
		t.Error("a program that does not exist found the file clean")
	}
}
