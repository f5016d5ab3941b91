/**
 * The data that shows signals; out of date after a change that they depend on. The answers come first: the queries of pages
 * are made of them.
 */
export const TRUST_DATA = [
  '/api/trust',
  { queryKey: ['trust'] },
  '/ui/home',
  '/ui/domains',
] as const
