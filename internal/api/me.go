package api

import (
	"context"
	"net/http"
	"reflect"

	"github.com/tidewaiter/tidewaiter/internal/access"
)

// meBody is what a key is told about itself.
type meBody struct {
	Organisation partyBody `json:"organisation" doc:"The organisation that the key belongs to"`
	User         userBody  `json:"user" doc:"The user who made the key"`
	Key          keyBody   `json:"key" doc:"The key"`
	Role         string    `json:"role" enum:"OWNER,MEMBER,VIEWER" doc:"What the key may do: its role, or its user's if that is lower"`
	Scopes       []string  `json:"scopes" doc:"What the key is limited to; null for what the role allows" example:"[\"customs:read\"]"`
	Mode         string    `json:"mode" enum:"simulator,live,test" doc:"Where declarations go: simulator for the service's own stand-in of customs, live for HMRC, test in a test organisation"`
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
		status: http.StatusOK, about: "Whose key it is and what it may do", answer: s.schemaOf(reflect.TypeFor[meBody]()),
	}, s.getMe)
}

func (s *Server) getMe(ctx context.Context, in *struct{ caller }) (reply, error) {
	members, err := s.Store.Members(ctx, in.call.Org)
	if err != nil {
		return reply{}, err
	}
	me := meBody{User: userBody{ID: in.call.UserID}, Role: string(in.call.Role), Scopes: in.holder.Scopes, Mode: s.Mode}
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
		me.Organisation, me.Key = partyBody{string(org.ID), org.Name}, keyOf(k)
		return err
	})
	if err != nil {
		return reply{}, err
	}
	return answer(http.StatusOK, me)
}
