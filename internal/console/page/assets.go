package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
)

//go:embed assets
var assetFiles embed.FS

// assetPath is the path of stylesheets, scripts and the icon. Their URLs contain a part of
// their SHA-256 digest, so that browsers can cache them for ever.
const assetPath = "/assets/"

type asset struct {
	address string
	content []byte
	zipped  bool // the content is in gzip; its file has the extension .gz besides its own
}

func (s *Site) readAssets(files fs.FS) error {
	err := fs.WalkDir(files, "assets", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, file)
		if err != nil {
			return err
		}
		name, zipped := strings.CutSuffix(strings.TrimPrefix(file, "assets/"), ".gz")
		if ext := path.Ext(name); !zipped && (ext == ".css" || ext == ".js") {
			content = compact(content)
		}
		sum := sha256.Sum256(content)
		if _, taken := s.assets[name]; taken {
			return fmt.Errorf("asset %s exists already", name)
		}
		s.assets[name] = asset{assetPath + name + "?v=" + hex.EncodeToString(sum[:6]), content, zipped}
		return nil
	})
	if err != nil {
		return fmt.Errorf("console: assets: %w", err)
	}
	return nil
}

// compact returns a stylesheet or a script without indentation and without lines that are comments: about an eighth of what a page
// weighs. No text in it may go over several lines, which TestAssetsCanBeCompacted checks.
func compact(content []byte) []byte {
	out := make([]byte, 0, len(content))
	for line := range bytes.Lines(content) {
		line = bytes.TrimLeft(line, " \t")
		text := bytes.TrimSpace(line)
		isComment := bytes.HasPrefix(text, []byte("//")) ||
			bytes.HasPrefix(text, []byte("/*")) && bytes.Index(text, []byte("*/")) == len(text)-len("*/")
		if len(text) > 0 && !isComment {
			out = append(out, line...)
		}
	}
	return out
}

func (c *Context) serveAsset() error {
	name := strings.TrimPrefix(c.R.URL.Path, assetPath)
	a, ok := c.assets[name]
	if !ok {
		return apierr.New(apierr.NotFound, "This file does not exist.")
	}
	if c.R.URL.RequestURI() == a.address {
		c.W.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if a.zipped {
		return c.serveZipped(name, a.content)
	}
	http.ServeContent(c.W, c.R, name, time.Time{}, bytes.NewReader(a.content))
	return nil
}

// serveZipped serves a file that is in gzip, and unpacks it for a client that does not accept that.
func (c *Context) serveZipped(name string, content []byte) error {
	h := c.W.Header()
	h.Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	h.Set("Vary", "Accept-Encoding")
	if strings.Contains(c.R.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		h.Set("Content-Length", strconv.Itoa(len(content)))
		_, err := c.W.Write(content)
		return err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(content))
	if err != nil {
		return fmt.Errorf("console: assets: %s: %w", name, err)
	}
	_, err = io.Copy(c.W, unpacked) // #nosec G110 -- a file of this program
	return err
}
