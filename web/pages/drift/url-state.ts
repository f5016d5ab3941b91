/** The state of the list of differences in its address. */
export const DRIFT_URL_STATE = {
  team: '',
  contract: '',
  asset: '',
  integration: '',
  level: '',
  status: '',
  p: '',
}

/** The state of the list of differences in its address. */
export type DriftUrlState = typeof DRIFT_URL_STATE

/** The statuses with their titles. */
export const STATUSES = [
  ['open', 'Open'],
  ['accepted', 'Accepted'],
  ['resolved', 'Resolved'],
] as const

/** The levels with their titles. */
export const LEVELS = [
  ['', 'All levels'],
  ['breaking', 'Breaking'],
  ['additive', 'Keeps the promise'],
] as const

/** Returns the query of the API for a state; values of no meaning are left out. */
export function toQuery({ team, contract, asset, integration, level, status, p }: DriftUrlState) {
  const knownStatus = STATUSES.find(([one]) => one === status)?.[0] ?? 'open'
  const knownLevel = LEVELS.find(([one]) => one === level)?.[0] ?? ''
  return {
    ...(team !== '' && { teamId: [team] }),
    ...(contract !== '' && { dataContractId: contract }),
    ...(asset !== '' && { assetId: asset }),
    ...(integration !== '' && { integration }),
    ...(knownLevel !== '' && { level: knownLevel }),
    status: knownStatus,
    p: /^\d{1,6}$/.test(p) ? Number(p) : 0,
  }
}

/** Returns whether a filter other than the status is set. */
export function isFiltered({ team, contract, asset, integration, level }: DriftUrlState): boolean {
  return [team, contract, asset, integration, level].some((value) => value !== '')
}
