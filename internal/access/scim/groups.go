package scim

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/tidewaiter/tidewaiter/internal/access"
	"github.com/tidewaiter/tidewaiter/internal/platform/tenant"
)

// Groups lists the groups of the organisation by name.
func (s *Service) Groups(ctx context.Context, org tenant.ID) (all []Group, err error) {
	err = s.Store.ViewSCIM(ctx, org, func(tx Tx) (err error) { all, err = tx.SCIMGroups(); return err })
	return all, err
}

// Group returns one group.
func (s *Service) Group(ctx context.Context, org tenant.ID, id string) (Group, error) {
	all, err := s.Groups(ctx, org)
	if err != nil {
		return Group{}, err
	}
	return find(all, id)
}

func find(all []Group, id string) (Group, error) {
	at := slices.IndexFunc(all, func(g Group) bool { return g.ID == id })
	if at < 0 {
		return Group{}, errNotFound()
	}
	return all[at], nil
}

// SaveGroup stores a new group, or changes the one with the id, and gives its members their roles.
func (s *Service) SaveGroup(ctx context.Context, call tenant.Call, id string, change func(*Group) error) (g Group, err error) {
	users, err := s.Users(ctx, call.Org)
	if err != nil {
		return g, err
	}
	known := map[string]bool{}
	for _, u := range users {
		known[u.ID] = true
	}
	err = s.Store.UpdateSCIM(ctx, call.Org, func(tx Tx) error {
		all, err := tx.SCIMGroups()
		if err != nil {
			return err
		}
		if id == "" {
			g = Group{ID: s.IDs.UUID(), CreatedAt: tx.Now()}
		} else if g, err = find(all, id); err != nil {
			return err
		}
		before := slices.Clone(g.Members)
		if err := change(&g); err != nil {
			return err
		}
		if err := check(&g, all, known); err != nil {
			return err
		}
		g.UpdatedAt = tx.Now()
		if err := tx.PutSCIMGroup(g); err != nil {
			return err
		}
		if err := s.assign(tx, call, before, g.Members); err != nil {
			return err
		}
		return s.Accounts.Access.Record(tx, call, access.GroupSaved, "group", g.ID, map[string]any{"name": g.Name, "members": len(g.Members)})
	})
	return g, toSCIMError(err)
}

func check(g *Group, all []Group, known map[string]bool) error {
	switch {
	case strings.TrimSpace(g.Name) == "" || len(g.Name) > maxText || len(g.ExternalID) > maxText:
		return NewError(400, "invalidValue", "displayName must have 1 to 254 characters, and externalId at most 254.")
	case len(g.Members) > MaxMembers || len(all) >= MaxGroups && !slices.ContainsFunc(all, func(o Group) bool { return o.ID == g.ID }):
		return NewError(400, "tooMany", "The organisation has too many groups, or the group has too many members.")
	}
	for _, other := range all {
		if other.ID != g.ID && strings.EqualFold(other.Name, g.Name) {
			return NewError(409, "uniqueness", "A group with this displayName already exists.")
		}
	}
	slices.Sort(g.Members)
	g.Members = slices.Compact(g.Members)
	for _, id := range g.Members {
		if !known[id] {
			return NewError(400, "invalidValue", "A member of the group is not a user of the organisation.")
		}
	}
	return nil
}

// RemoveGroup deletes a group; its members lose the role that it gave.
func (s *Service) RemoveGroup(ctx context.Context, call tenant.Call, id string) error {
	err := s.Store.UpdateSCIM(ctx, call.Org, func(tx Tx) error {
		all, err := tx.SCIMGroups()
		if err != nil {
			return err
		}
		g, err := find(all, id)
		if err != nil {
			return err
		}
		if _, err := tx.RemoveSCIMGroup(id); err != nil {
			return err
		}
		if err := s.assign(tx, call, g.Members, nil); err != nil {
			return err
		}
		return s.Accounts.Access.Record(tx, call, access.GroupRemoved, "group", id, map[string]any{"name": g.Name})
	})
	return toSCIMError(err)
}

// assign updates the roles of users who joined or left a group.
func (s *Service) assign(tx Tx, call tenant.Call, before, after []string) error {
	changed := map[string]bool{}
	for _, id := range before {
		changed[id] = !slices.Contains(after, id)
	}
	for _, id := range after {
		changed[id] = true
	}
	for _, id := range slices.Sorted(maps.Keys(changed)) {
		role, member, err := tx.Member(id)
		if err != nil {
			return err
		}
		if !member {
			continue
		}
		wanted, err := s.roleOf(tx, id, role)
		if err != nil {
			return err
		}
		if wanted == role {
			continue
		}
		if err := s.setRole(tx, call, id, wanted); err != nil {
			return err
		}
	}
	return nil
}

// roleOf returns the highest role of a user's groups. Without a mapped group it is the present role if
// no group is mapped at all, and the default role otherwise.
func (s *Service) roleOf(tx Tx, id string, present tenant.Role) (tenant.Role, error) {
	t, _, err := tx.SCIMToken()
	if err != nil {
		return "", err
	}
	groups, err := tx.SCIMGroups()
	if err != nil {
		return "", err
	}
	best, mapped := tenant.Role(""), false
	for _, g := range groups {
		role, ok := t.Settings.role(g)
		mapped = mapped || ok
		if ok && slices.Contains(g.Members, id) && (best == "" || role.Covers(best)) {
			best = role
		}
	}
	switch {
	case best != "":
		return best, nil
	case !mapped && len(t.Settings.Roles) == 0:
		return present, nil
	}
	return t.Settings.DefaultRole, nil
}

// role returns the role of a group: from the settings, or the group's name if that is a role.
func (s Settings) role(g Group) (tenant.Role, bool) {
	if role, ok := s.Roles[g.Name]; ok {
		return role, true
	}
	role, err := tenant.ParseRole(strings.ToUpper(g.Name))
	return role, err == nil
}
