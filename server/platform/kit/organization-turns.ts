/** Which of the organizations with work are listed, in the order of their ids. */
export interface OrganizationPage {
  /** The last organization of the page before. */
  after: string
  /** Organizations that are left out. */
  except: readonly string[]
  limit: number
}

/** The work of organizations. */
interface OrganizationWork {
  /** Lists the next organizations that have work. */
  list(page: OrganizationPage): Promise<string[]>
  /** Does the next piece of work of an organization. Returns false if the organization is to be left out from now on. */
  work(organizationId: string): Promise<boolean>
  /** Whether to end before all work is done. */
  isStopped?: () => boolean
  /** The maximum number of organizations to list at once. */
  limit: number
}

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * Does the work of all organizations: one piece of each in turn, so that a backlog of one does not delay the others. The
 * organizations are listed again after each round, because others may have work by then. Returns whether all work is done.
 */
export async function workInTurns({
  list,
  work,
  isStopped = () => false,
  limit,
}: OrganizationWork): Promise<boolean> {
  const leftOut = new Set<string>()
  let after = BEFORE_ALL
  for (;;) {
    const page = await list({ after, except: [...leftOut], limit })
    if (page.length === 0 && after === BEFORE_ALL) return leftOut.size === 0
    for (const organizationId of page) {
      if (isStopped()) return false
      if (!(await work(organizationId))) leftOut.add(organizationId)
    }
    after = page.length === limit ? (page.at(-1) ?? BEFORE_ALL) : BEFORE_ALL
  }
}
