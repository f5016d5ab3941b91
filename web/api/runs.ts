import type { Schemas } from './client.ts'

/** A run of an integration. */
export type Run = NonNullable<Schemas['IngestionRun']>
