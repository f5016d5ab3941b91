import { Problem, toProblem } from '../../api/problem.ts'

/** Something that is deleted, with the name that a problem shows. */
interface Named {
  id: string
  name: string
}

/**
 * Deletes each item by itself: one that fails does not affect the others, and one that is gone already counts as
 * deleted. Throws a problem that names those that remain. Without an answer of the server, it stops.
 */
export async function deleteEach(
  items: readonly Named[],
  deleteOne: (id: string) => Promise<unknown>,
  noun: string,
): Promise<void> {
  const failures: { name: string; problem: Problem }[] = []
  for (const { id, name } of items) {
    const last = failures.at(-1)?.problem
    // What has no answer, or no session, has none for the next item either.
    const problem =
      last?.status === 0 || last?.status === 401 ? last : await findFailure(() => deleteOne(id))
    if (problem !== undefined) failures.push({ name, problem })
  }
  const [first] = failures
  if (first === undefined) return
  if (items.length === 1) throw first.problem
  const deletedCount = items.length - failures.length
  throw new Problem(
    first.problem.status,
    `${failures.length} of ${items.length} ${noun} could not be deleted`,
    deletedCount === 0 ? '' : `${deletedCount} are deleted. The list shows those that remain.`,
    {
      violations: failures.map(({ name, problem }) => ({ field: name, message: problem.summary })),
    },
  )
}

async function findFailure(action: () => Promise<unknown>): Promise<Problem | undefined> {
  try {
    await action()
    return undefined
  } catch (error) {
    const problem = toProblem(error)
    return problem.status === 404 ? undefined : problem
  }
}
