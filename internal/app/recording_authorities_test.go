package app_test

import "time"

// recordAuthorities sends goods movements of a test organisation to the simulator, through all of their states.
func (r *recorder) recordAuthorities(key string) {
	const path = "/api/gvms/movements"
	crossing := recordedAt.AddDate(0, 0, 20)
	body := func(members object) object {
		crossing := object{"routeId": "SIM-1", "localDateTimeOfDeparture": crossing.Add(time.Hour).Format("2006-01-02T15:04")} // of Calais
		all := object{"direction": "UK_INBOUND", "isUnaccompanied": true, "plannedCrossing": crossing}
		for name, value := range members {
			all[name] = value
		}
		return object{"message": all}
	}
	declared := []any{object{"customsDeclarationId": "26GB3TTI2CQ1C7FGR4"}}
	r.silently(func() {
		r.want(r.as(key, "POST", "/api/hubs/gvms", nil))
		r.reaches(key, r.text(r.want(r.as(key, "POST", path, body(object{"emptyVehicle": object{"isOwnVehicle": true}, "trailerRegistrationNums": []any{"C1234567"}}))), "id"), "OPEN")
		r.want(r.as(key, "POST", "/api/sandbox/reset", nil)) // HMRC keeps what is deleted here
		id := r.text(r.want(r.as(key, "POST", path, body(nil))), "id")
		r.reaches(key, id, "NOT_FINALISABLE")
		r.want(r.as(key, "PATCH", path+"/"+id, body(object{"customsDeclarations": declared})))
		r.eventuallyAs(key, path+"/"+id, func(a answered) bool { return len(at(a.body, "movement", "ruleFailures").([]any)) == 1 })
		r.want(r.as(key, "PATCH", path+"/"+id, body(object{"customsDeclarations": declared, "trailerRegistrationNums": []any{"C1234568"}})))
		r.reaches(key, id, "OPEN")
		for _, stage := range []struct {
			after  time.Duration
			status string
		}{{-time.Hour, "CHECKED_IN"}, {0, "EMBARKED"}, {2 * time.Hour, "COMPLETED"}} {
			r.want(r.as(key, "POST", "/api/test/clock", object{"now": crossing.Add(stage.after).Format(time.RFC3339)}))
			r.reaches(key, id, stage.status)
		}
		r.recordMessages(key, path+"/"+id, id)
		r.want(r.as(key, "DELETE", "/api/test/clock", nil))
		r.recordENS(key)
		for _, e := range at(r.want(r.as(key, "GET", "/api/events?limit=200", nil)).body, "events").([]any) {
			if name := at(e, "type").(string); r.events[name] == nil {
				r.events[name] = at(e, "data", "object")
			}
		}
	})
}

// recordMessages calls the operations about connections and messages.
func (r *recorder) recordMessages(key, one, id string) {
	was := r.quiet
	r.quiet = false
	defer func() { r.quiet = was }()
	r.want(r.as(key, "GET", one+"/messages?limit=2", nil))
	r.want(r.as(key, "GET", "/api/authorities", nil))
	r.want(r.as(key, "GET", "/api/gvms/routes?q=calais&on=2026-12-01", nil))
	unclaimed := at(r.want(r.as(key, "GET", "/api/authorities/messages", nil)).body, "messages").([]any)
	if len(unclaimed) == 0 {
		r.t.Error("there is no message about an unknown record")
		return
	}
	r.want(r.as(key, "POST", "/api/authorities/messages/"+at(unclaimed[0], "id").(string)+"/claim", object{"recordId": id}))
}

// reaches waits until a goods movement has a status.
func (r *recorder) reaches(key, id, status string) {
	r.t.Helper()
	r.eventuallyAs(key, "/api/gvms/movements/"+id, func(a answered) bool { return at(a.body, "movement", "status") == status })
}
