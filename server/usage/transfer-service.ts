import { CONSUMER_DIGEST as DIGEST, INSERT_MONTHS as MONTHS } from './record.ts'

/** The SQL expression of the digest of a consumer, which files of earlier versions lack. */
export const CONSUMER_DIGEST = DIGEST

/** The statement that fills the counts by month from those by day, for files of earlier versions. */
export const INSERT_MONTHS = MONTHS
