package customs

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/filing/attachment"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// sourcesMember is the member of a declaration with the files that it was made from.
const sourcesMember = "sourceDocuments"

// WithSources returns the input of a new declaration that was made from files. They have to be moved to it.
func WithSources(in filing.Input, sources []attachment.Source) filing.Input {
	if len(sources) == 0 {
		return in
	}
	return in.With(filing.Added{sourcesMember: sources})
}

// ScanSource passes a file to the virus scanner, if the service has one, before it is stored.
func (s *Service) ScanSource(ctx context.Context, f attachment.File) error {
	return s.Scanner.Examine(ctx, f)
}

// CheckSources returns what is wrong with files that a declaration was made from, all of it.
func CheckSources(files []attachment.NewSource) (details []apierr.Detail) {
	if len(files) == 0 {
		details = append(details, apierr.Detail{Field: "file", Message: "is required"})
	}
	for i, f := range files {
		if !slices.Contains(attachment.SourceTypes, f.DocumentType) {
			details = append(details, apierr.Detail{Field: fmt.Sprintf("documentType[%d]", i), Message: "must be " + strings.Join(attachment.SourceTypes, ", ") + ", and stand before its file"})
		}
		switch {
		case attachment.CleanName(f.Name) == "":
			details = append(details, apierr.Detail{Field: fmt.Sprintf("file[%d]", i), Message: "needs a file name"})
		case len(f.Content) == 0:
			details = append(details, apierr.Detail{Field: fmt.Sprintf("file[%d]", i), Message: "is empty"})
		}
	}
	return details
}

// AddSources stores more files that a declaration was made from, and returns them with the changed declaration.
func (s *Service) AddSources(tx Tx, call tenant.Call, condition filing.IfVersion, id string, files []attachment.NewSource) (f filing.Filing, added []attachment.Source, err error) {
	if f, err = tx.Filing(s.Type.Kind, id); err != nil {
		return f, nil, err
	}
	if err := condition.Check(f.Version); err != nil {
		return f, nil, err
	}
	a, err := addedOf(&f)
	if err != nil {
		return f, nil, err
	}
	if len(a.Sources)+len(files) > attachment.MaxSources {
		return f, nil, apierr.New(apierr.InvalidState, "A declaration is made from at most %d files, and this one has %d.", attachment.MaxSources, len(a.Sources))
	}
	if added, err = s.Attachments.AddSources(tx, call, id, files); err != nil {
		return f, nil, err
	}
	ids, digests := []string{}, []string{}
	for _, d := range added {
		ids, digests = append(ids, d.ID), append(digests, d.SHA256)
	}
	f, err = s.Filings.Transition(tx, call, s.Type, id, addSource, filing.TransitionData{
		Added: filing.Added{sourcesMember: append(a.Sources, added...)}, Data: filing.Added{"fileIds": ids, "filesSha256": digests},
	})
	return f, added, err
}

// SourcesOf returns the files that a declaration was made from.
func SourcesOf(f *filing.Filing) ([]attachment.Source, error) {
	a, err := addedOf(f)
	return a.Sources, err
}
