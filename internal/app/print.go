package app

import (
	"fmt"
	"os"

	"github.com/tidewaiter/tidewaiter/internal/document/pdfwriter"
	"github.com/tidewaiter/tidewaiter/internal/records/print"
)

// maxFontFile is the maximum size in bytes of a font of the operator. A font with all Chinese characters has about 20 MB.
const maxFontFile = 32 << 20

// newPrinter returns the service that makes PDF documents.
func (a *App) newPrinter() (*print.Service, error) {
	fonts, err := readFonts(a.Config.PDFFont)
	if err != nil {
		return nil, fmt.Errorf("pdf-font: %w", err)
	}
	return print.New(a.Customs, a.analyst().Review, fonts), nil
}

// readFonts returns the fonts of documents with that in a file; an empty path adds none.
func readFonts(path string) (*pdfwriter.Fonts, error) {
	if path == "" {
		return pdfwriter.NewFonts(nil)
	}
	about, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if about.Size() > maxFontFile {
		return nil, fmt.Errorf("%s has more than %d MB", path, maxFontFile>>20)
	}
	file, err := os.ReadFile(path) // #nosec G304 -- the operator names it
	if err != nil {
		return nil, err
	}
	fonts, err := pdfwriter.NewFonts(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return fonts, nil
}
