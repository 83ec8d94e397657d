// Command generate reads the OpenAPI document and writes what the API clients are made of: the Python client, the
// Postman collection, and a simple form of the document for oapi-codegen and openapi-typescript; and docs/integrating.md
// with its examples. scripts/clients runs it and them.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: generate DOCUMENT FOLDER")
		os.Exit(2)
	}
	if err := generate(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

// generate writes all files below a folder.
func generate(document, folder string) error {
	text, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	simple, err := simplify(text)
	if err != nil {
		return fmt.Errorf("%s: %w", document, err)
	}
	certain, err := withoutDryRuns(simple)
	if err != nil {
		return err
	}
	var d api
	if err := json.Unmarshal(simple, &d); err != nil {
		return fmt.Errorf("%s: %w", document, err)
	}
	var full api
	if err := json.Unmarshal(text, &full); err != nil {
		return fmt.Errorf("%s: %w", document, err)
	}
	collection, err := postman(full)
	if err != nil {
		return err
	}
	models, err := pythonModels(d)
	if err != nil {
		return err
	}
	page, err := fillPage(filepath.Join(filepath.Dir(document), "integrating.md"), filepath.Join(filepath.Dir(document), "..", "clients"))
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{
		"integrating.md":                             page,
		"typescript.json":                            certain,
		"simple.json":                                simple,
		"python/tidewaiter/models.py":                models,
		"python/tidewaiter/operations.py":            pythonOperations(d, synchronous),
		"python/tidewaiter/async_operations.py":      pythonOperations(d, asynchronous),
		"postman/tidewaiter.postman_collection.json": collection,
	} {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
			return err
		}
		if err := os.WriteFile(file, content, 0o600); err != nil {
			return err
		}
	}
	return nil
}
