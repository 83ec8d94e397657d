package api

import (
	"context"
	"net/http"
	"reflect"

	"github.com/tidewaiter/tidewaiter/internal/filing/checklist"
)

// checklistAnswer is what a person types into the site of an authority.
type checklistAnswer struct {
	Site     string                  `json:"site" doc:"Name" example:"Trader Support Service"`
	Address  string                  `json:"address,omitempty" doc:"Its address" example:"https://www.tradersupportservice.co.uk/"`
	Sections []checklist.SiteSection `json:"sections" nullable:"false" doc:"Groups of values"`
}

// mountChecklist adds the values of a record in the order of the authority's site.
func (s *Server) mountChecklist(k kind) {
	handle(s, operation{
		id: k.id("get", false) + "-checklist", summary: "Get the checklist of a " + k.Singular, tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: k.Path + "/{id}/checklist",
		status: http.StatusOK, description: "What a person types into the site of the authority, in its order", errors: []int{404},
		response: objectSchema("checklist", s.schemaOf(reflect.TypeFor[checklistAnswer]())),
	}, func(ctx context.Context, in *ByID) (response, error) {
		id, err := checkID(in.ID)
		if err != nil {
			return response{}, err
		}
		a := checklistAnswer{Site: k.Checklist.Site, Address: k.Checklist.Address}
		err = s.Store.View(ctx, in.call.Org, func(tx Tx) error {
			f, err := tx.Filing(k.Kind, id)
			if err != nil {
				return err
			}
			a.Sections, err = k.Checklist.Fill(k.Layout, f.Body)
			return err
		})
		if err != nil {
			return response{}, err
		}
		return objectResponse("checklist", a)
	})
}
