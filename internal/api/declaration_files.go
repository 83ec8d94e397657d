package api

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/cds"
	"github.com/tidewaiter/tidewaiter/internal/hmrc/simulator"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// maxFilesBody is the maximum size in bytes of a form with documents.
const maxFilesBody = cds.MaxFiles*cds.MaxFile + maxFormOverhead

type fileInput struct {
	ByID
	FileID string `path:"fileId" maxLength:"64" doc:"Id of the file" example:"0192f3c4-7a10-7c3e-8f00-1f2e3d4c5b6a"`
}

// mountFiles adds the upload of documents for customs, and their download.
func (s *Server) mountFiles(k kind) {
	text := func(about string) *huma.Schema {
		return &huma.Schema{Type: huma.TypeArray, MinItems: ptr(1), MaxItems: ptr(cds.MaxFiles), Description: about, Items: &huma.Schema{Type: huma.TypeString, MinLength: ptr(1), MaxLength: ptr(100)}}
	}
	files := text("PDF, JPEG, PNG or text in UTF-8 of at most 10 MB each; the type is detected from the content, not the name")
	files.Items = &huma.Schema{Type: huma.TypeString, Format: "binary"}
	kept := text("Any file of at most 10 MB each")
	kept.Items = files.Items
	stream(s, operation{
		id: "add-declaration-files", summary: "Send documents to customs", tag: k.Tag, scope: k.Hub, method: http.MethodPost, path: k.Path + "/{id}/files",
		status:      http.StatusOK,
		description: "The upload with its files, for an ACCEPTED declaration, or if customs has asked for documents, evidence of exit or an answer. They are scanned, if the service has a scanner, and sent in the background; the declaration shows the status of each",
		response:    s.schemaOf(reflect.TypeFor[customs.Uploaded]()), errors: []int{404, 409}, idempotent: true, ifMatch: true, route: route{role: tenant.Member},
		steered: steeringParam("Outcome of the files in the simulator: accept or reject. 400 if the organisation is connected to HMRC", simulator.RejectFiles),
		maxBody: maxFilesBody,
		content: map[string]*huma.MediaType{formType: {Schema: &huma.Schema{
			Type: huma.TypeObject, Required: []string{"documentType", "file"}, AdditionalProperties: false, Properties: map[string]*huma.Schema{
				"documentType": text("What each document is, in the part before its file, such as Invoice; query-response answers a question of customs"), "file": files,
			},
		}}},
	}, s.addFiles)
	stream(s, operation{
		id: "add-declaration-sources", summary: "Keep documents that a declaration was made from", tag: k.Tag, scope: k.Hub, method: http.MethodPost, path: k.Path + "/{id}/source-documents",
		status:      http.StatusOK,
		description: "The declaration, in any status. The documents are kept with it and stand in its evidence pack; customs does not get them. They are scanned first, if the service has a scanner",
		response:    objectSchema(k.Singular, k.record), errors: []int{404, 409}, idempotent: true, ifMatch: true, route: route{role: tenant.Member}, maxBody: maxFilesBody,
		content: map[string]*huma.MediaType{formType: {Schema: &huma.Schema{
			Type: huma.TypeObject, Required: []string{"documentType", "file"}, AdditionalProperties: false, Properties: map[string]*huma.Schema{
				"documentType": text("What each document is, in the part before its file: " + strings.Join(attachment.SourceTypes, ", ")), "file": kept,
			},
		}}},
	}, s.addSources)
	stream(s, operation{
		id: "get-declaration-file", summary: "Get a document of a declaration", tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path + "/{id}/files/{fileId}",
		status: http.StatusOK, description: "The content of a document that was given for customs, or that the declaration was made from",
		contentType: attachment.PDF, otherTypes: []string{attachment.JPEG, attachment.PNG, "text/plain", attachment.Workbook, attachment.Message, attachment.Unknown}, response: &huma.Schema{Type: huma.TypeString, Format: "binary"}, errors: []int{404},
	}, s.getFile(k))
}

func (s *Server) addFiles(ctx context.Context, in *ByID, w *streamWriter) error {
	id, err := checkID(in.ID)
	if err != nil {
		return err
	}
	files, err := readFiles(w, in.request)
	if err != nil {
		return err
	}
	if details := customs.CheckFiles(files); details != nil {
		return apierr.Invalid(details...)
	}
	described, err := describeFiles(files)
	if err != nil {
		return err
	}
	single, err := s.Customs.HasSingleToken(ctx)
	if err != nil {
		return err
	}
	out, err := s.updateOnce(ctx, &in.caller, described, func(tx Tx) (response, error) {
		r := customs.Request{Call: in.call, If: in.ifMatch, Simulate: in.request.Header.Get(simulator.SteeringHeader)}
		done, err := s.Customs.AddFiles(tx, r, id, files, single)
		if err != nil {
			return response{}, err
		}
		return jsonResponse(http.StatusOK, done)
	})
	if err != nil {
		return err
	}
	return w.answer(out)
}

// addSources keeps documents that a declaration was made from.
func (s *Server) addSources(ctx context.Context, in *ByID, w *streamWriter) error {
	id, err := checkID(in.ID)
	if err != nil {
		return err
	}
	files, err := readFiles(w, in.request)
	if err != nil {
		return err
	}
	sources := make([]attachment.NewSource, len(files))
	for i, f := range files {
		sources[i] = attachment.NewSource(f)
	}
	if details := customs.CheckSources(sources); details != nil {
		return apierr.Invalid(details...)
	}
	for i := range sources {
		if err := s.Customs.ScanSource(ctx, sources[i].File); err != nil {
			return err
		}
	}
	described, err := describeFiles(files)
	if err != nil {
		return err
	}
	out, err := s.updateOnce(ctx, &in.caller, described, func(tx Tx) (response, error) {
		f, _, err := s.Customs.AddSources(tx, in.call, in.ifMatch, id, sources)
		if err != nil {
			return response{}, err
		}
		return filingResponse("declaration", &f), nil
	})
	if err != nil {
		return err
	}
	return w.answer(out)
}

// describeFiles returns what a repeated call must have in common with the first: not the boundary, which differs.
func describeFiles(files []customs.NewFile) ([]byte, error) {
	var all [][3]string
	for _, f := range files {
		sum := sha256.Sum256(f.Content)
		all = append(all, [3]string{f.DocumentType, f.Name, hex.EncodeToString(sum[:])})
	}
	return json.Marshal(all)
}

// readFiles reads a form with files, each after its type. It reads no more of a form with too many.
func readFiles(w *streamWriter, r *http.Request) (files []customs.NewFile, err error) {
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != formType || params["boundary"] == "" {
		return nil, apierr.New(apierr.UnsupportedMediaType, "Send the documents as multipart/form-data, the field documentType of each before its field file.")
	}
	w.setReadTimeout(bodyTimeout)
	defer w.setReadTimeout(0)
	form := filesForm{parts: multipart.NewReader(http.MaxBytesReader(w.ResponseWriter, r.Body, maxFilesBody), params["boundary"])}
	for len(form.files) <= cds.MaxFiles {
		part, err := form.parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			return form.files, form.checkEnd()
		}
		if err != nil {
			return nil, bodyError(err)
		}
		if err := form.readPart(part); err != nil {
			return nil, err
		}
	}
	return form.files, nil
}

// filesForm is a form with files that is being read.
type filesForm struct {
	parts *multipart.Reader
	kind  *string // type of the next file; nil until it comes
	files []customs.NewFile
}

// readPart reads the type of the next file, or the file. A file without a type is reported by the check.
func (f *filesForm) readPart(part *multipart.Part) error {
	switch part.FormName() {
	case "documentType":
		value, err := io.ReadAll(io.LimitReader(part, maxFieldSize))
		if err != nil {
			return bodyError(err)
		}
		if err := f.checkEnd(); err != nil {
			return err
		}
		kind := string(value)
		f.kind = &kind
		return nil
	case "file":
		content, err := readInPieces(io.LimitReader(part, cds.MaxFile+1))
		if err != nil {
			return bodyError(err)
		}
		if len(content) > cds.MaxFile {
			return apierr.New(apierr.PayloadTooLarge, "A document can have at most %d bytes.", cds.MaxFile)
		}
		file := customs.NewFile{File: attachment.File{Name: part.FileName(), Content: content}}
		if f.kind != nil {
			file.DocumentType = *f.kind
		}
		f.files, f.kind = append(f.files, file), nil
		return nil
	}
	return apierr.Invalid(apierr.Detail{Field: part.FormName(), Message: "is not a known field"})
}

// piece is the number of bytes that are read at a time.
const piece = 64 << 10

// readInPieces reads all of a reader whose length is not known. It needs twice the memory for a moment only, where a growing buffer keeps
// twice what a slow sender has sent.
func readInPieces(r io.Reader) ([]byte, error) {
	var all [][]byte
	for rest := []byte(nil); ; {
		if len(rest) == 0 {
			rest = make([]byte, piece)
			all = append(all, rest[:0])
		}
		n, err := r.Read(rest)
		last := len(all) - 1
		all[last], rest = all[last][:len(all[last])+n], rest[n:]
		if errors.Is(err, io.EOF) {
			return slices.Concat(all...), nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// checkEnd returns an error if a type has no file.
func (f *filesForm) checkEnd() error {
	if f.kind == nil {
		return nil
	}
	return apierr.Invalid(apierr.Detail{Field: "documentType", Message: "must be followed by its file"})
}

// getFile writes a file of a record.
func (s *Server) getFile(k kind) func(context.Context, *fileInput, *streamWriter) error {
	return func(ctx context.Context, in *fileInput, w *streamWriter) error {
		id, ok := canonicalUUID(in.ID)
		fileID, fileOK := canonicalUUID(in.FileID)
		if !ok || !fileOK {
			return apierr.Missing()
		}
		var a attachment.Attachment
		var content []byte
		err := s.Store.View(ctx, in.call.Org, func(tx Tx) (err error) {
			if _, err = tx.Filing(k.Kind, id); err != nil {
				return err
			}
			if a, err = tx.Attachment(id, fileID); err != nil {
				return err
			}
			content, err = attachment.Content(tx, &a)
			return err
		})
		if err != nil {
			return err
		}
		h := w.Header()
		h.Set("Content-Type", a.MediaType)
		h.Set("Content-Length", strconv.Itoa(len(content)))
		h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": a.FileName}))
		_, err = w.Write(content)
		return err
	}
}
