package api

import (
	"context"
	"net/http"
	"path"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/tidewaiter/tidewaiter/internal/hmrc/exchange"
)

// offeredRoute is a route of an authority's reference data in an answer.
type offeredRoute struct {
	ID            string  `json:"routeId" doc:"Number of the route, as a record names it" example:"SIM-1"`
	Direction     string  `json:"direction" doc:"Direction, under the authority’s name" example:"UK_INBOUND"`
	From          string  `json:"departurePort" doc:"Port of departure" example:"Calais"`
	FromCountry   string  `json:"departureCountry" doc:"Its country" example:"FR"`
	To            string  `json:"arrivalPort" doc:"Port of arrival" example:"Dover"`
	ToCountry     string  `json:"arrivalCountry" doc:"Its country" example:"GB"`
	Carrier       string  `json:"carrier" doc:"Carrier" example:"Simulated Ferries"`
	EffectiveFrom string  `json:"effectiveFrom" doc:"First day on which it is offered" example:"2020-01-01"`
	EffectiveTo   *string `json:"effectiveTo" doc:"Last day; null for no end"`
}

// offeredRoutes is the list of routes in an answer.
type offeredRoutes struct {
	Routes []offeredRoute `json:"routes" nullable:"false" doc:"At most 1,000, in the order of their ports and carriers"`
	Mode   exchange.Mode  `json:"mode" enum:"off,simulator,hmrc-sandbox,live" doc:"System of the authority that offers them"`
	ReadAt *string        `json:"readAt" format:"date-time" doc:"When the service read them; null in mode off, and without a consent"`
}

type routesInput struct {
	caller
	Query string `query:"q" maxLength:"100" doc:"Only routes with all of these words in their number, ports, countries, carrier or direction" example:"calais dover"`
	On    string `query:"on" maxLength:"10" doc:"Only routes that are offered on this day (YYYY-MM-DD)" example:"2026-12-01"`
}

// Resolve checks what the schemas of the parameters cannot.
func (in *routesInput) Resolve(ctx huma.Context) []error {
	errs := in.caller.Resolve(ctx)
	if _, err := time.Parse(time.DateOnly, in.On); err != nil && in.On != "" {
		errs = append(errs, paramError("on", "must be a day such as 2026-12-01"))
	}
	return errs
}

// mountRoutes adds the routes that the authority of a kind offers, beside the records of the kind.
func (s *Server) mountRoutes(k kind) {
	a := s.authorityOf(k)
	if a == nil || a.Routes == nil {
		return
	}
	handle(s, operation{
		id: "list-" + k.Hub + "-routes", summary: "List routes and carriers", tag: k.Tag, scope: k.Hub, method: http.MethodGet, path: path.Dir(k.Path) + "/routes",
		status: http.StatusOK, description: "The routes of " + a.Name + "’s reference data, which the service reads once a day. None in mode off", response: s.schemaOf(reflect.TypeFor[offeredRoutes]()),
		errors: []int{http.StatusBadGateway},
	}, func(ctx context.Context, in *routesInput) (response, error) { return s.listRoutes(ctx, a, in) })
}

func (s *Server) listRoutes(ctx context.Context, a *exchange.Authority, in *routesInput) (response, error) {
	all, err := s.Authorities.RoutesOf(ctx, in.call.Org, a)
	if err != nil {
		return response{}, err
	}
	if in.On != "" {
		all = all.On(in.On)
	}
	all = all.With(in.Query)
	body := offeredRoutes{Routes: []offeredRoute{}, Mode: all.Mode, ReadAt: instantOrNull(all.ReadAt)}
	for _, o := range all.All {
		body.Routes = append(body.Routes, offeredRoute{o.ID, o.Direction, o.From, o.FromCountry, o.To, o.ToCountry, o.Carrier, o.EffectiveFrom, orNull(o.EndsOn)})
	}
	return jsonResponse(http.StatusOK, body)
}
