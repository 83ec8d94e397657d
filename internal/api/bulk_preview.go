package api

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/assist/mapping"
	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/records/bulk"
)

// cellsSchema is the schema of a row: values by column header.
var cellsSchema = &huma.Schema{
	Type: huma.TypeObject, AdditionalProperties: &huma.Schema{Type: huma.TypeString}, Description: "Values by header",
}

// previewSchema returns the schema of a table with the proposed mapping and the rows that an import with it would refuse.
func (s *Server) previewSchema(mapping *huma.Schema) *huma.Schema {
	text := &huma.Schema{Type: huma.TypeString}
	return &huma.Schema{Type: huma.TypeObject, Required: []string{"headers", "rows", "mapping", "errors", "faulty"}, Properties: map[string]*huma.Schema{
		"headers": {Type: huma.TypeArray, Items: text, Description: "Column headers"},
		"rows":    {Type: huma.TypeArray, Items: cellsSchema, Description: "All rows, to be sent to commit"},
		"mapping": mapping,
		"errors": {
			Type: huma.TypeArray, Items: s.schemaOf(reflect.TypeFor[bulk.RowError]()), MaxItems: ptr(bulk.MaxFaults),
			Description: "The first errors of rows that commit would refuse with the proposed mapping",
		},
		"faulty": {Type: huma.TypeInteger, Format: "int64", Minimum: ptr(0.0), Description: "Number of rows with errors, shown or not"},
	}}
}

// mountPreview adds the operation that reads an uploaded table, proposes a mapping and checks the rows with it. It
// stores nothing.
func (s *Server) mountPreview(importer *bulk.Importer, guess columnGuesser) {
	t := importer.Type
	shown := s.previewSchema(mappingSchema(t))
	if t.Kind == customs.Clients.Kind {
		shown.Properties["columns"] = &huma.Schema{Type: huma.TypeArray, Items: s.schemaOf(reflect.TypeFor[columnGuess]()), Description: "The field proposed for each column, with the reason"}
	}
	stream(s, operation{
		id: "preview-" + t.Singular + "-import", summary: "Preview an import of " + t.Plural, tag: "Bulk", scope: t.Hub, method: http.MethodPost, path: "/api/import/" + t.Plural + "/preview",
		status: http.StatusOK, description: "The table, the proposed column for each field of a " + t.Singular + ", and the rows that commit would refuse with it. Nothing is stored",
		response: shown,
		maxBody:  bulk.MaxFile + maxFormOverhead,
		content: map[string]*huma.MediaType{formType: {Schema: &huma.Schema{
			Type: huma.TypeObject, Required: []string{"file"}, AdditionalProperties: false, Properties: map[string]*huma.Schema{"file": {
				Type: huma.TypeString, Format: "binary",
				Description: "CSV of at most 100,000 rows, with comma, semicolon or tab, in UTF-8, UTF-16 or Windows-1252; or an XLSX workbook, whose first sheet is read. At most 10 MB",
			}},
		}}},
	}, func(ctx context.Context, in *struct{ caller }, w *streamWriter) error {
		return s.readTable(ctx, &in.caller, w, func(sheet *bulk.Sheet) error {
			mapping, more, err := guess(ctx, sheet)
			if err != nil {
				return err
			}
			found, err := importer.Faults(ctx, in.call, sheet, mapping)
			if err != nil {
				return err
			}
			return showTable(w, sheet, append([]member{{"mapping", mapping}, {"errors", found.Errors}, {"faulty", found.Faulty}}, more...)...)
		})
	})
}

// columnGuess is the field proposed for a column.
type columnGuess struct {
	Header     string  `json:"header" doc:"Header of the column" example:"USt-IdNr."`
	Field      *string `json:"field" doc:"Field of a client; null for none" example:"vatNumber"`
	Confidence float64 `json:"confidence" minimum:"0" maximum:"1" doc:"Confidence; 0 for none" example:"0.99"`
	Reason     string  `json:"reason" doc:"Reason for the proposal" example:"The header says “ust id nr” in German. 100 % of the values fit."`
}

func columnGuesses(headers []string, guesses []mapping.Guess) []columnGuess {
	out := make([]columnGuess, len(headers))
	for i := range headers {
		out[i].Header = headers[i]
		if i >= len(guesses) {
			continue
		}
		out[i].Confidence, out[i].Reason = guesses[i].Confidence, guesses[i].Reason
		if guesses[i].Field != "" {
			out[i].Field = &guesses[i].Field
		}
	}
	return out
}

// mappingSchema returns the schema of a mapping, with the fields of a kind.
func mappingSchema(t *filing.Type) *huma.Schema {
	m := &huma.Schema{
		Type: huma.TypeObject, AdditionalProperties: false, Properties: map[string]*huma.Schema{},
		Description: "Column header for each field; null for none",
	}
	for _, field := range t.Fields() {
		m.Properties[field] = &huma.Schema{Type: huma.TypeString, Nullable: true}
	}
	return m
}

// readTable reads the uploaded table and calls show with it, while it counts as one of the organisation's imports.
func (s *Server) readTable(ctx context.Context, c *caller, w *streamWriter, show func(*bulk.Sheet) error) error {
	end, err := s.Imports.Acquire(ctx, c.call.Org)
	if err != nil {
		return err
	}
	defer end()
	file, err := uploaded(w, c.request)
	if err = c.withDryRunFaults(err); err != nil {
		return err
	}
	sheet, err := bulk.ReadTable(ctx, file)
	if err != nil {
		return err
	}
	return show(sheet)
}

// member is a member of a response.
type member struct {
	name  string
	value any
}

// showTable writes the table row by row, since as JSON it can be much longer than the file, after its headers and
// further members.
func showTable(w *streamWriter, sheet *bulk.Sheet, more ...member) error {
	const piece = 64 << 10
	out := append(make([]byte, 0, 2*piece), '{')
	for _, m := range append([]member{{"headers", sheet.Headers}}, more...) {
		text, err := json.Marshal(m.value)
		if err != nil {
			return err
		}
		out = append(append(append(append(out, '"'), m.name...), `":`...), text...)
		out = append(out, ',')
	}
	out = append(out, `"rows":[`...)
	w.Header().Set("Content-Type", jsonType)
	first := true
	for cells := range sheet.Rows() {
		if !first {
			out = append(out, ',')
		}
		first = false
		if out = sheet.AppendRow(out, cells); len(out) < piece {
			continue
		}
		if _, err := w.Write(out); err != nil {
			return err
		}
		out = out[:0]
	}
	_, err := w.Write(append(out, `]}`...))
	return err
}

// uploaded reads the file of a form.
func uploaded(w *streamWriter, r *http.Request) ([]byte, error) {
	f := upload{subject: "The file", hint: "Send the table as multipart/form-data, in the field file.", maxFile: bulk.MaxFile}
	if err := f.read(w, r); err != nil {
		return nil, err
	}
	return f.file, nil
}
