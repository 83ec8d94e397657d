package datamodel

import "github.com/tidewaiter/tidewaiter/internal/platform/secret"

// Trader is a person with contact data.
type Trader struct {
	object
	Name          string         `json:"name,omitempty" minLength:"1" maxLength:"70" doc:"Name" example:"Veggy World SARL"`
	EORI          string         `json:"eori,omitempty" minLength:"1" maxLength:"17" doc:"EORI number, which stands for name and address" example:"GB553202734852"`
	Address       *Address       `json:"address,omitempty" doc:"Address"`
	ContactName   string         `json:"contactName,omitempty" minLength:"1" maxLength:"70" doc:"Name of the contact person"`
	Communication *Communication `json:"communication,omitempty" doc:"Telephone number or another way to reach the person"`
}

// Party is a person by EORI, or by name and address.
type Party struct {
	object
	Name    string   `json:"name,omitempty" minLength:"1" maxLength:"70" doc:"Name" example:"AU Export"`
	EORI    string   `json:"eori,omitempty" minLength:"1" maxLength:"17" doc:"EORI number" example:"GB553202734852"`
	Address *Address `json:"address,omitempty" doc:"Address"`
}

// SafetyParty is the consignor of safety and security data (DE 3/7, 3/8).
type SafetyParty struct {
	object
	Name    string         `json:"name,omitempty" minLength:"1" maxLength:"70" doc:"Name"`
	EORI    string         `json:"eori,omitempty" minLength:"1" maxLength:"17" doc:"EORI number"`
	Address *SafetyAddress `json:"address,omitempty" doc:"Address"`
}

// SafetyAddress is an address with a type.
type SafetyAddress struct {
	Address
	Type string `json:"type,omitempty" minLength:"1" maxLength:"3" doc:"Type of the address"`
}

// Carrier is the carrier of an export (DE 3/31, 3/32).
type Carrier struct {
	object
	Name          string         `json:"name,omitempty" minLength:"1" maxLength:"70" doc:"Name (DE 3/31)"`
	EORI          string         `json:"eori,omitempty" minLength:"1" maxLength:"17" doc:"EORI number (DE 3/32)" example:"GB025115100010"`
	Address       *Address       `json:"address,omitempty" doc:"Address"`
	Communication *Communication `json:"communication,omitempty" doc:"Telephone number or another way to reach the carrier"`
}

// Role is a person in a role: another actor of the supply chain (DE 3/37) or a fiscal reference (DE 3/40).
type Role struct {
	object
	ID   string `json:"id,omitempty" minLength:"1" maxLength:"17" doc:"EORI number (DE 3/37) or VAT number (DE 3/40)" example:"GB553202734"`
	Role string `json:"role,omitempty" minLength:"1" maxLength:"3" doc:"Role: CS, FW, MF or WH (DE 3/37); FR1 for the importer, FR2, FR3, FR5 (DE 3/40)" example:"FR1"`
}

// Representation is how the importer or exporter is represented (DE 3/19 to 3/21).
type Representation struct {
	object
	Type    string   `json:"type,omitempty" minLength:"1" maxLength:"8" pattern:"^(DIRECT|INDIRECT|SELF|.{1,3})$" doc:"DIRECT, INDIRECT, SELF for none, or another code as it stands (DE 3/21)" example:"DIRECT"`
	Name    string   `json:"name,omitempty" minLength:"1" maxLength:"70" doc:"Name of a representative who is not the declarant (DE 3/19)"`
	EORI    string   `json:"eori,omitempty" minLength:"1" maxLength:"17" doc:"EORI number of a representative who is not the declarant (DE 3/20)" example:"GB427168118378"`
	Address *Address `json:"address,omitempty" doc:"Address of a representative who is not the declarant (DE 3/19)"`
}

// Values of Representation.Type.
const (
	Direct   = "DIRECT"
	Indirect = "INDIRECT"
	Self     = "SELF"
)

// Authorisation is an authorisation that the declaration uses (DE 3/39).
type Authorisation struct {
	object
	Holder string `json:"holder,omitempty" minLength:"1" maxLength:"17" doc:"EORI of the holder (DE 3/39)" example:"GB553202734852"`
	Type   string `json:"type,omitempty" minLength:"1" maxLength:"4" doc:"Type of authorisation, such as DPO, CGU, SDE or CWP (DE 3/39)" example:"DPO"`
}

// DeferredPayment is a deferment account (DE 2/6).
type DeferredPayment struct {
	object
	Category string `json:"category,omitempty" minLength:"1" maxLength:"3" doc:"Category of the document: 1" example:"1"`
	Account  string `json:"account,omitempty" minLength:"1" maxLength:"70" doc:"Account number; 7 digits for DAN (DE 2/6)" example:"1108654"`
	Type     string `json:"type,omitempty" minLength:"1" maxLength:"3" doc:"Kind of account: DAN" example:"DAN"`
}

// Guarantee is a guarantee (DE 8/2, 8/3).
type Guarantee struct {
	object
	Type           string      `json:"type,omitempty" minLength:"1" maxLength:"3" doc:"Kind of guarantee; 0 for a waiver (DE 8/2)" example:"1"`
	Reference      string      `json:"reference,omitempty" minLength:"1" maxLength:"70" doc:"Guarantee reference number, or Guaranteenotrequired (DE 8/3)" example:"GBCGU55320273485220191113093459"`
	OtherReference string      `json:"otherReference,omitempty" minLength:"1" maxLength:"35" doc:"Account or other reference (DE 8/3)"`
	Amount         *Amount     `json:"amount,omitempty" doc:"Amount that is covered (DE 8/3)"`
	AccessCode     secret.Text `json:"accessCode,omitempty" doc:"Access code of at most 4 characters (DE 8/3), stored encrypted and shown as {\"set\": true}, which keeps the stored one when it is sent"`
	Office         string      `json:"office,omitempty" minLength:"1" maxLength:"17" doc:"Office of guarantee (DE 8/3)" example:"GB000060"`
}

// Signature is the signature of a paper declaration (DE 1/8).
type Signature struct {
	object
	Text string `json:"text,omitempty" minLength:"1" maxLength:"256" doc:"Signature (DE 1/8)"`
	Name string `json:"name,omitempty" minLength:"1" maxLength:"70" doc:"Who signs (DE 1/8)"`
}
