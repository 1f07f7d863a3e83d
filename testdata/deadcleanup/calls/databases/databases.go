// Package databases cleans up in a database.
package databases

import (
	"context"
	"database/sql"
	"time"
)

// TransactionRollsItselfBack writes in a transaction, which the database rolls
// back by itself when its context is done.
func TransactionRollsItselfBack(ctx context.Context, db *sql.DB, names []string) error {
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

// StatementOfCleanUpOnDoneContext gives up a lock in a database.
func StatementOfCleanUpOnDoneContext(ctx context.Context, db *sql.DB, name string) error {
	if _, err := db.ExecContext(ctx, "SELECT pg_advisory_lock($1)", name); err != nil {
		return err
	}
	<-ctx.Done()
	_, err := db.ExecContext(ctx, "SELECT pg_advisory_unlock($1)", name) // want "deadcleanup: DB.ExecContext runs on ctx, which is done here"
	return err
}
