import { parentPort } from 'node:worker_threads'

// The thread script of worker-pool.test.ts.

interface Work {
  work: 'echo' | 'spin' | 'grow' | 'throw'
  value?: string
}

parentPort?.on('message', ({ work, value }: Work) => {
  if (work === 'throw') throw new Error('the job failed')
  if (work === 'spin') for (;;) Math.random()
  if (work === 'grow') {
    const kept: number[][] = []
    for (;;) kept.push(Array.from({ length: 1000 }, (_, at) => at + kept.length))
  }
  parentPort?.postMessage(value)
})
parentPort?.postMessage('ready')
