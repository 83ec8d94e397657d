package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/tidewaiter/tidewaiter/internal/filing"
	"github.com/tidewaiter/tidewaiter/internal/hub/customs/product"
	"github.com/tidewaiter/tidewaiter/internal/platform/apierr"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
	"github.com/tidewaiter/tidewaiter/internal/schema"
	"github.com/tidewaiter/tidewaiter/internal/store"
	"github.com/tidewaiter/tidewaiter/internal/tariff/calculator"
	"github.com/tidewaiter/tidewaiter/internal/tariff/duty"
)

func (a *App) calculator() *calculator.Calculator {
	return &calculator.Calculator{Tariff: a.Tariff, Editions: a.Store, Rates: a.Rates, Imports: a.Store}
}

// calculate computes duties for an organisation, whose products supply facts.
func (a *App) calculate(ctx context.Context, org tenant.ID, r *duty.Request, now time.Time) (duty.Response, []duty.Fault, error) {
	products, faults, err := a.supply(ctx, org, r)
	if err != nil {
		return duty.Response{}, nil, err
	}
	answer, more, err := a.calculator().Calculate(ctx, r, now)
	if faults = append(faults, more...); faults != nil || err != nil {
		return duty.Response{}, faults, err
	}
	for i := range answer.Lines {
		answer.Lines[i].Product = products[i]
	}
	return answer, nil, nil
}

// supply fills in what the products of lines say and the lines lack. It returns the products by line.
func (a *App) supply(ctx context.Context, org tenant.ID, r *duty.Request) (products map[int]*duty.Product, faults []duty.Fault, err error) {
	found, err := a.productsOf(ctx, org, r)
	if err != nil {
		return nil, nil, err
	}
	products = map[int]*duty.Product{}
	for i := range r.Lines {
		l := &r.Lines[i]
		if l.ProductID == "" || l.CommodityCode != "" {
			continue
		}
		f, ok := found[strings.ToLower(l.ProductID)]
		if !ok {
			faults = append(faults, duty.Fault{Field: fmt.Sprintf("lines[%d].productId", i), Message: "is no product of yours"})
			continue
		}
		if products[i], err = product.Supply(&f, l); err != nil {
			return nil, nil, err
		}
		if l.CommodityCode == "" {
			faults = append(faults, duty.Fault{Field: fmt.Sprintf("lines[%d].productId", i), Message: "is a product without a commodity code"})
		}
	}
	return products, faults, nil
}

// productsOf returns the products that lines name, by id.
func (a *App) productsOf(ctx context.Context, org tenant.ID, r *duty.Request) (found map[string]filing.Filing, err error) {
	var ids []string
	for i := range r.Lines {
		if id := strings.ToLower(r.Lines[i].ProductID); id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if ids == nil {
		return nil, nil
	}
	err = a.Store.View(ctx, org, func(t *store.Tx) error {
		found, err = product.ByID(t, ids)
		return err
	})
	return found, err
}

// CalculateOnce computes duties and taxes of a request in JSON, without a server and without products. What is wrong with the
// request is returned as details.
func (a *App) CalculateOnce(ctx context.Context, request []byte) (answer duty.Response, details []apierr.Detail, err error) {
	if err := errors.Join(a.Tariff.Refresh(ctx, a.Store), a.Rates.Refresh(ctx, a.Store)); err != nil {
		return answer, nil, err
	}
	schemas := schema.NewSchemas()
	if details = (schema.Validator{Schemas: schemas}).Check(schemas.Of(reflect.TypeFor[duty.Request]()), request); details != nil {
		return answer, details, nil
	}
	var r duty.Request
	if err := json.Unmarshal(request, &r); err != nil {
		return answer, nil, err
	}
	answer, faults, err := a.calculate(ctx, tenant.Operator, &r, a.deps.Now())
	for _, f := range faults {
		details = append(details, apierr.Detail{Field: f.Field, Message: f.Message})
	}
	return answer, details, err
}
