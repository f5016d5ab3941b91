import { SourceFailure, type Batch, type FailureKind, type Scope } from '../connector.ts'

/** Failures that end one scope and leave the others readable. */
const SCOPE_FAILURES = new Set<FailureKind>(['permission', 'protocol', 'too_large'])

/** Reads scopes one after the other and adds the outcome of each. Errors: SourceFailure for all of them. */
export async function* readScopes(
  scopes: readonly Scope[],
  readScope: (scope: Scope) => AsyncIterable<Batch>,
): AsyncGenerator<Batch> {
  for (const scope of scopes) {
    const { path } = scope
    try {
      yield* readScope(scope)
      yield { assets: [], outcomes: [{ path }] }
    } catch (error) {
      if (!(error instanceof SourceFailure) || !SCOPE_FAILURES.has(error.kind)) throw error
      yield { assets: [], outcomes: [{ path, failure: error }] }
    }
  }
}
