// Package lock gives up a lock in a database.
package lock

import (
	"context"
	"database/sql"
)

func Hold(ctx context.Context, db *sql.DB, name string) error {
	if _, err := db.ExecContext(ctx, "SELECT pg_advisory_lock($1)", name); err != nil {
		return err
	}
	<-ctx.Done()
	_, err := db.ExecContext(ctx, "SELECT pg_advisory_unlock($1)", name) // want "deadcleanup: DB.ExecContext runs on ctx, which is done here"
	return err
}
