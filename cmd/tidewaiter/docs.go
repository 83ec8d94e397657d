package main

import (
	"context"
	"os"

	"github.com/tidewaiter/tidewaiter/internal/app"
	"github.com/tidewaiter/tidewaiter/internal/platform/config"
)

type openapiCommand struct{}

// Run prints the OpenAPI document.
func (openapiCommand) Run(_ context.Context, c *config.Config) error {
	_, err := os.Stdout.Write(app.OpenAPI(*c))
	return err
}

type docsCommand struct {
	Folder string `arg:"" type:"existingdir" help:"Folder of the generated documents."`
}

// Run writes the generated documents.
func (d docsCommand) Run() error { return app.WriteDocs(d.Folder) }
