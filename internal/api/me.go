package api

import (
	"context"
	"net/http"
	"reflect"

	"github.com/tidewaiter/tidewaiter/internal/access"
)

// meBody describes the calling key.
type meBody struct {
	Organisation partyBody `json:"organisation" doc:"The organisation that the key belongs to"`
	User         userBody  `json:"user" doc:"The user who created the key"`
	Key          keyBody   `json:"key" doc:"The key"`
	Role         string    `json:"role" enum:"OWNER,MEMBER,VIEWER" doc:"Lower one of the roles of the key and its user"`
	Scopes       []string  `json:"scopes" doc:"Scopes of the key; null for all that the role allows" example:"[\"customs:read\"]"`
	Mode         string    `json:"mode" enum:"test,live,simulator" doc:"test for a test organisation, live if the installation is connected to HMRC or the HMRC sandbox, otherwise simulator"`
}

type partyBody struct {
	ID   string `json:"id" format:"uuid" doc:"Id"`
	Name string `json:"name" doc:"Name" example:"Harbour Customs Services Ltd"`
}

type userBody struct {
	ID    string  `json:"id" format:"uuid" doc:"Id"`
	Name  string  `json:"name" doc:"Name" example:"A. Trader"`
	Email *string `json:"email" doc:"E-mail address; null for a user without one" example:"a.trader@example.com"`
}

func (s *Server) mountMe() {
	handle(s, operation{
		id: "get-me", summary: "Get the calling key", tag: "Hubs", scope: noScope, method: http.MethodGet, path: "/api/me",
		status: http.StatusOK, description: "The calling key, its organisation and user, and its rights", response: s.schemaOf(reflect.TypeFor[meBody]()),
	}, s.getMe)
}

func (s *Server) getMe(ctx context.Context, in *struct{ caller }) (response, error) {
	members, err := s.Store.Members(ctx, in.call.Org)
	if err != nil {
		return response{}, err
	}
	me := meBody{User: userBody{ID: in.call.UserID}, Role: string(in.call.Role), Scopes: in.holder.Scopes, Mode: string(s.modeOf(in.holder))}
	for _, m := range members {
		if m.ID == in.call.UserID {
			me.User.Name, me.User.Email = m.Name, orNull(m.Email)
		}
	}
	err = s.Store.View(ctx, in.call.Org, func(tx Tx) error {
		org, err := tx.Organisation()
		if err != nil {
			return err
		}
		k, err := access.LiveKey(tx, in.call.KeyID)
		me.Organisation, me.Key = partyBody{string(org.ID), org.Name}, s.keyOf(k, in.holder)
		return err
	})
	if err != nil {
		return response{}, err
	}
	return jsonResponse(http.StatusOK, me)
}
