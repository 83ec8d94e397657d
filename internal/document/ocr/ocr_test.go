package ocr_test

import (
	"context"
	"errors"
	"testing"

	"github.com/tidewaiter/tidewaiter/internal/document/ocr"
	"github.com/tidewaiter/tidewaiter/test/documents"
)

// A picture is read within the limits; one of too many pixels or of another format is not given to the program.
func TestRead(t *testing.T) {
	program := ocr.Find()
	if program == nil {
		t.Skip("Tesseract is not installed")
	}
	scans, err := documents.Scans()
	if err != nil {
		t.Fatal(err)
	}
	page, err := program.Read(context.Background(), scans[0].File)
	if err != nil || len(page.Words) < 50 || page.Width < page.Height {
		t.Fatalf("%d words on %d by %d, %v", len(page.Words), page.Width, page.Height, err)
	}
	huge := append([]byte{}, scans[0].File...)
	huge[16], huge[20] = 0x10, 0x10 // the most significant bytes of width and height
	if _, err := program.Read(context.Background(), huge); err == nil {
		t.Error("a picture of a wrong size was read")
	}
	if _, err := program.Read(context.Background(), []byte("no picture")); err == nil {
		t.Error("a text was read")
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := program.Read(ended, scans[0].File); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the request: %v", err)
	}
}
