package api

import (
	"github.com/tidewaiter/tidewaiter/internal/hub/customs"
)

// mountBulk adds the import of clients and the exports.
func (s *Server) mountBulk() {
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
