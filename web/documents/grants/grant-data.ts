import { TRUST_DATA } from '../trust-data.ts'

/** The data that shows grants; out of date after another setting, meaning or acceptance. */
export const GRANT_DATA = [
  '/api/integrations/{externalId}/grants',
  '/api/access-findings',
  '/api/dataproducts/{id}/outputports/{portId}/grants',
  '/api/incidents',
  ...TRUST_DATA,
] as const
