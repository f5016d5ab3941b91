import type { FreshnessFacts, PromiseFacts } from './facts.ts'

/** Creates the facts of a promise that its table keeps, for tests. */
export function newFacts(more: Partial<PromiseFacts> = {}): PromiseFacts {
  return {
    contractId: 'c',
    server: 'prod',
    model: 'orders',
    isProduction: true,
    state: 'linked',
    assetId: 'a',
    isCompared: true,
    breaking: 0,
    accepted: 0,
    differsSince: null,
    openSince: null,
    acceptedUntil: null,
    unverifiable: 0,
    freshness: null,
    ...more,
  }
}

/** Creates the freshness of a promise whose data changed in time, for tests. */
export function newFreshness(more: Partial<FreshnessFacts> = {}): FreshnessFacts {
  return {
    promised: '24 h',
    evidence: 'data',
    evidenceAt: '2026-06-10T00:00:00.000000Z',
    lateAt: '2026-06-11T00:00:00.000000Z',
    isConfirmed: true,
    unknownBecause: null,
    ...more,
  }
}
