package idempotency

const statusOK = 200 // of HTTP

// StoreSuccess stores a successful answer to a call with a key, unless there is one already. Without a key it does
// nothing. It is for code without HTTP statuses.
func StoreSuccess(tx Tx, caller, key string, a Answer) error {
	if key == "" {
		return nil
	}
	if _, found, err := tx.Answer(caller, key); err != nil || found {
		return err
	}
	a.Status = statusOK
	return tx.SaveAnswer(caller, key, a, TTL)
}
