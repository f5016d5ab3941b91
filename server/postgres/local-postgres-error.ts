/** Portbook's own PostgreSQL cannot be used; the message is one line for the operator. */
export class LocalPostgresError extends Error {
  override readonly name = 'LocalPostgresError'
}
