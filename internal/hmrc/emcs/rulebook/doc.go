// Package rulebook checks messages that a trader sends by HMRC's numbered business rules (level 2 of EMCS, answered at once with 422),
// which need the message alone ([Check]), and by the EU's lists of codes ([CheckCodes]), which HMRC compares later with an IE704 for answer. What else needs HMRC's
// registers (the other numbers of an IE704, 4401 to 9020) is not checked.
//
// Source of the rules: hmrc/excise-movement-control-system-api-tis (2 February 2026), hmrc/emcs-api-service-guide-4-2 (4 March 2026) and
// hmrc/emcs-tfe-create-movement-frontend (19 August 2026), read on 27 November 2026. The texts are our own. Not checked: 8087 (needs the table of
// products and CN codes), 8088, 8712 and 8713 (the schema has the codes), 8001 and 8203 (need the movement), and 8725 (it repeats 8724).
package rulebook
