package app

import (
	"fmt"

	"github.com/tidewaiter/tidewaiter/internal/document/pdfwriter"
	"github.com/tidewaiter/tidewaiter/internal/records/print"
)

// newPrinter returns the service that makes PDF documents.
func (a *App) newPrinter() (*print.Service, error) {
	fonts, err := pdfwriter.NewFonts(a.Config.PDFFont)
	if err != nil {
		return nil, fmt.Errorf("pdf-font: %w", err)
	}
	return print.New(a.Customs, a.analyst().Review, fonts), nil
}
