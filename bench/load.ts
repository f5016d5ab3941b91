import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** What requests a load is made of, over all the documents of documents.ts. */
export type LoadKind =
  /** GET of random products. */
  | 'get'
  /** PUT of random products, each with a document that was never sent before. */
  | 'put-changed'
  /** PUT of random products, as `put-each` sent them. */
  | 'put-unchanged'
  /** PUT of every product once. */
  | 'put-each'
  /** PUT of contracts of a megabyte in turn, each with a text that was never sent before. */
  | 'put-contract'

/** What the load generator is to do once. */
export interface LoadOrder {
  kind: LoadKind
  port: number
  key: string
  connections: number
  milliseconds: number
}

/** What came of it. */
export interface LoadResult {
  /** Requests sent, all of which were answered with 200. */
  sentCount: number
  /** Answers within the time, a second. */
  perSecond: number
  p50Ms: number
  p99Ms: number
}

/** The load generator: one process for a whole run, the same for every server. */
export interface Load {
  /** Errors: any answer but 200, any connection that breaks. */
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
