// Package rows writes in a transaction, which the database rolls back by itself
// when its context is done.
package rows

import (
	"context"
	"database/sql"
	"time"
)

func Save(ctx context.Context, db *sql.DB, names []string) error {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		cancel()
		return err
	}
	defer tx.Rollback()
	defer cancel()
	for _, name := range names {
		if _, err := tx.ExecContext(ctx, "INSERT INTO names VALUES ($1)", name); err != nil {
			return err
		}
	}
	return tx.Commit()
}
