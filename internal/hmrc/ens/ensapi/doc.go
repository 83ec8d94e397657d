// Package ensapi calls HMRC's APIs of Safety and Security GB: declarations, outcomes, and notifications (advanced interventions).
// There is no push: outcomes and notifications are polled, stored, and then acknowledged, after which HMRC does not give them
// again. Sources: HMRC's OpenAPI documents 1.0 of the three APIs, and the source of its services (2025-11-20 to 2026-07-02).
package ensapi
