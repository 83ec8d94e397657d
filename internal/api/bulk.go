package api

import (
	"github.com/tidewaiter/tidewaiter/internal/bulk"
	"github.com/tidewaiter/tidewaiter/internal/customs"
)

// Limits of what goes on at a time: for each organisation, and for all.
const (
	exportsEach, exportsAll = 2, 32
	importsEach, importsAll = 1, 4
)

// mountBulk makes the import of clients, and the exports.
func (s *Server) mountBulk() {
	s.exports = bulk.NewTurns(exportsEach, exportsAll)
	s.imports = bulk.NewTurns(importsEach, importsAll)
	s.mountExport(s.Customs.Type)
	for _, t := range s.Types {
		switch t.Kind {
		case customs.Shipments.Kind:
			s.mountExport(t)
		case customs.Clients.Kind:
			s.mountExport(t)
			s.mountPreview(t)
			s.mountCommit(t)
		}
	}
}
