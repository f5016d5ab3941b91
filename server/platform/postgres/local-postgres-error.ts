/** An error of Portbook's own PostgreSQL. Its message is one line for the operator. */
export class LocalPostgresError extends Error {
  override readonly name = 'LocalPostgresError'
}
