import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** The requests of a load, for all documents of documents.ts. */
export type LoadKind =
  /** GET of random products. */
  | 'get'
  /** PUT of random products, each with a new document. */
  | 'put-changed'
  /** PUT of random products, as `put-each` sent them. */
  | 'put-unchanged'
  /** PUT of every product once. */
  | 'put-each'
  /** PUT of every definition once. */
  | 'put-each-definition'
  /** PUT of random definitions, each with a new document. */
  | 'put-definition'
  /** PUT of contracts of a megabyte in turn, each with a new text. */
  | 'put-contract'
  /** POST of OpenLineage events, each of another run. */
  | 'post-lineage'

/** One task of the load generator. */
export interface LoadOrder {
  kind: LoadKind
  port: number
  key: string
  connections: number
  milliseconds: number
  /**
   * The number of requests per second, each of which is due at an instant; undefined = as many as possible. Their times
   * begin when they are due, and all of them are answered, also after the end.
   */
  perSecond?: number
}

/** The result of a task. */
export interface LoadResult {
  /** The number of requests, all of them with status 200 or 201. */
  sentCount: number
  /** Responses per second. */
  perSecond: number
  p50Ms: number
  p95Ms: number
  p99Ms: number
}

/** The load generator: one process for a whole run, the same for every server. */
export interface Load {
  /** Runs a task. Errors: any status other than 200 and 201, any broken connection. */
  run(order: LoadOrder): Promise<LoadResult>
  stop(): void
}

/** Starts the load generator. */
export function startLoad(): Load {
  const child = fork(fileURLToPath(new URL('load-process.ts', import.meta.url)))
  return {
    run: (order) =>
      new Promise((done, fail) => {
        const onExit = (): void => fail(new Error('the load generator ended'))
        child.once('exit', onExit)
        child.once('message', (message: { result: LoadResult } | { error: string }) => {
          child.off('exit', onExit)
          if ('error' in message) fail(new Error(message.error))
          else done(message.result)
        })
        child.send(order)
      }),
    stop: () => child.kill(),
  }
}
