package faults_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// writerPool writes transitions through several addresses, and retries until each was answered.
type writerPool struct {
	clients []*client
	pace    time.Duration // of a writer between two steps
	written atomic.Int64  // acknowledged transitions

	mu       sync.Mutex
	steps    map[string]int // acknowledged, by record
	problems []string
}

// run starts n writers, which write until stop is closed and each has finished its record.
func (a *writerPool) run(ctx context.Context, n int, stop <-chan struct{}) (finished func()) {
	a.steps = map[string]int{}
	var all sync.WaitGroup
	for author := range n {
		all.Go(func() {
			for lot := 0; ; lot++ {
				select {
				case <-stop:
					return
				default:
				}
				p := &recordWriter{writerPool: a, ctx: ctx, name: fmt.Sprintf("author %d, lot %d", author, lot), turn: author}
				if lot%3 == 0 {
					p.client()
				} else {
					p.movement(lot)
				}
			}
		})
	}
	return all.Wait
}

// recordWriter writes the steps of one record.
type recordWriter struct {
	*writerPool
	ctx    context.Context
	name   string
	turn   int // index of the next address
	step   int
	record string
}

// client creates a client and corrects it three times.
func (p *recordWriter) client() {
	var made struct{ ID string }
	ok := p.write(http.MethodPost, "/api/clients", map[string]any{"name": "Trader of " + p.name}, &made, func() string { return made.ID })
	for n := 0; ok && n < 3; n++ {
		ok = p.write(http.MethodPatch, "/api/clients/"+p.record, map[string]any{"reference": fmt.Sprint(n)}, nil, nil)
	}
}

// movement creates a declaration, corrects it, submits it and marks it.
func (p *recordWriter) movement(lot int) {
	const path = "/api/tss/declarations"
	var made struct{ Declaration struct{ ID string } }
	mark, why := "/mark-accepted", any(nil)
	if lot%2 == 0 {
		mark, why = "/mark-rejected", map[string]any{"reason": "The commodity code is wrong."}
	}
	_ = p.write(http.MethodPost, path, movement(), &made, func() string { return made.Declaration.ID }) &&
		p.write(http.MethodPatch, path+"/"+p.record, map[string]any{"netMassKg": 1300}, nil, nil) &&
		p.write(http.MethodPost, path+"/"+p.record+"/submit", nil, nil, nil) &&
		p.write(http.MethodPost, path+"/"+p.record+mark, why, nil, nil)
}

func movement() map[string]any {
	return map[string]any{
		"movementType": "GB_NI", "traderEori": "XI123456789000", "consignorName": "Harbour Kitchens Ltd", "consigneeName": "Lagan Interiors Ltd",
		"commodityCode": "9403409000", "goodsDescription": "Flat-packed wooden kitchen cupboards", "netMassKg": 1250.5,
	}
}

// write performs one step. A POST carries an Idempotency-Key, so that it happens once; each step uses another
// address than the one before.
func (p *recordWriter) write(method, path string, in, out any, id func() string) bool {
	time.Sleep(p.pace)
	p.step++
	once := ""
	if method == http.MethodPost {
		once = fmt.Sprintf("%s, step %d", p.name, p.step)
	}
	for give := time.Now().Add(retryLimit); time.Now().Before(give) && p.ctx.Err() == nil; time.Sleep(retryPause) {
		p.turn++
		a, err := p.clients[p.turn%len(p.clients)].do(p.ctx, method, path, once, in)
		if err != nil || temporary(a) {
			continue
		}
		if !a.ok() || out != nil && json.Unmarshal(a.body, out) != nil {
			p.addProblem(fmt.Sprintf("%s %s: %d %s", method, path, a.status, a.body))
			return false
		}
		if id != nil {
			p.record = id()
		}
		p.acknowledged()
		return true
	}
	p.addProblem(fmt.Sprintf("%s %s: not answered within %s", method, path, retryLimit))
	return false
}

func (p *recordWriter) acknowledged() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.steps[p.record]++
	p.written.Add(1)
}

func (a *writerPool) addProblem(problem string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.problems = append(a.problems, problem)
}
