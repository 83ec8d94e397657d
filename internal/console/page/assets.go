package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
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
}

func (s *Site) readAssets(files fs.FS) error {
	err := fs.WalkDir(files, "assets", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		name, sum := strings.TrimPrefix(path, "assets/"), sha256.Sum256(content)
		if _, taken := s.assets[name]; taken {
			return fmt.Errorf("asset %s exists already", name)
		}
		s.assets[name] = asset{assetPath + name + "?v=" + hex.EncodeToString(sum[:6]), content}
		return nil
	})
	if err != nil {
		return fmt.Errorf("console: assets: %w", err)
	}
	return nil
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
	http.ServeContent(c.W, c.R, name, time.Time{}, bytes.NewReader(a.content))
	return nil
}
