/**
 * Loaded into a product process by `node --import`: measures how long the event loop is busy at a time, and
 * writes the figures to the file PORTBOOK_LOOP_METER whenever there is a new maximum. SIGUSR2 resets them.
 */

import { renameSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/** Figures since the last SIGUSR2. */
export interface LoopFigures {
  /** The longest turn of the event loop in milliseconds of processor time of its thread. */
  longestTurnCpuMs: number
  /** The longest delay of a timer in milliseconds; it grows with the load of the machine. */
  longestDelayMs: number
  /** The maximum memory of the process in bytes. */
  rssMax: number
  /** The number of times that the figures were written and reset. */
  writes: number
  resets: number
}

const file = process.env['PORTBOOK_LOOP_METER']
if (isMainThread && file !== undefined) measure(file)

function measure(path: string): void {
  const figures: LoopFigures = {
    longestTurnCpuMs: 0,
    longestDelayMs: 0,
    rssMax: 0,
    writes: 0,
    resets: 0,
  }
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  let before = process.threadCpuUsage()
  // Between two runs of a short timer are either several turns of some milliseconds, or one longer turn.
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    figures.longestTurnCpuMs = Math.max(figures.longestTurnCpuMs, (user + system) / 1000)
    before = process.threadCpuUsage()
  }, 2).unref()
  const write = (): void => {
    figures.longestDelayMs = delay.max / 1e6
    figures.rssMax = Math.max(figures.rssMax, process.memoryUsage.rss())
    // Written atomically, so that readers find either the new or the old figures.
    writeFileSync(`${path}.next`, JSON.stringify(figures))
    figures.writes += 1
    renameSync(`${path}.next`, path)
  }
  process.on('SIGUSR2', () => {
    delay.reset()
    Object.assign(figures, { longestTurnCpuMs: 0, rssMax: 0, resets: figures.resets + 1 })
    write()
  })
  setInterval(write, 200).unref()
}
