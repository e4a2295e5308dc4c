// Package tracking reads what carriers report about a parcel.
package tracking

import (
	"encoding/json"
	"errors"
	"io"
	"time"
)

// Event is one scan on the way.
type Event struct {
	At    time.Time `json:"at"`
	Place string    `json:"place"`
	Code  string    `json:"code"`
}

var errEmpty = errors.New("tracking: no events")

// Read decodes the events of one parcel, oldest first.
func Read(from io.Reader) ([]Event, error) {
	raw, err := io.ReadAll(from)
	if err != nil {
		return nil, err
	}
	var events []Event
	if err := json.Unmarshal(raw, &events); err != nil {
		return nil, err
	}
	if len(events) == 0 {
		return nil, errEmpty
	}
	return events, nil
}
