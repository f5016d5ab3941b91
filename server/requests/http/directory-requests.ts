import { isScimPath } from './scim-problem.ts'

/** A request of a directory that was refused, as a sentence. */
interface RefusedRequest {
  refusedAt: string
  method: string
  /** The path, without the query. */
  path: string
  status: number
  sentence: string
  requestId: string
}

/** The requests of a directory since they were last taken. */
interface DirectoryRequests {
  organizationId: string
  lastRequestAt: string
  /** The last ones, oldest first. */
  refused: readonly RefusedRequest[]
}

/** Notes the requests of directories in memory, so that no request waits for a write. */
export interface DirectoryLog {
  /** Notes a request below the path of directories; `refused` = it was rejected. */
  add(request: NotedRequest): void
  /** Returns what was noted since the last call. */
  take(): DirectoryRequests[]
}

/** A request of an authenticated caller. */
interface NotedRequest {
  organizationId: string
  method: string
  path: string
  requestId: string
  /** Undefined = it was accepted. */
  refusal: { status: number; sentence: string } | undefined
}

const REFUSED_MAX = 50
const ORGANIZATIONS_MAX = 1000
const PATH_CHARACTERS_MAX = 200

/** Creates the log of a process. */
export function newDirectoryLog(): DirectoryLog {
  const noted = new Map<string, { lastRequestAt: string; refused: RefusedRequest[] }>()
  return {
    add({ organizationId, method, path, requestId, refusal }) {
      if (!isScimPath(path)) return
      if (!noted.has(organizationId) && noted.size >= ORGANIZATIONS_MAX) return
      const at = new Date().toISOString()
      const refused = noted.get(organizationId)?.refused ?? []
      if (refusal !== undefined) {
        const place = { method, path: path.slice(0, PATH_CHARACTERS_MAX), requestId }
        refused.push({ ...refusal, ...place, refusedAt: at })
        if (refused.length > REFUSED_MAX) refused.shift()
      }
      noted.set(organizationId, { lastRequestAt: at, refused })
    },
    take() {
      const all = [...noted].map(([organizationId, one]) => ({ organizationId, ...one }))
      noted.clear()
      return all
    },
  }
}
