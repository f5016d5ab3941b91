/**
 * Loaded into a product process by `node --import`: measures how long the loop of events is busy at a time, and writes
 * the figures to the file PORTBOOK_LOOP_METER whenever there is a new maximum. SIGUSR2 begins anew.
 */

import { renameSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/** What was measured since the last SIGUSR2. */
export interface LoopFigures {
  /** The longest turn of the loop in milliseconds of processor time of its thread. */
  longestTurnCpuMs: number
  /** The longest delay of a timer in milliseconds; it grows with the load of the machine. */
  longestDelayMs: number
  /** The most memory that the process held, in bytes. */
  rssMax: number
  /** How often the figures were written and reset. */
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
  // Between two runs of a short timer there are the turns of some milliseconds, or one that took longer.
  setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    figures.longestTurnCpuMs = Math.max(figures.longestTurnCpuMs, (user + system) / 1000)
    before = process.threadCpuUsage()
  }, 2).unref()
  const write = (): void => {
    figures.longestDelayMs = delay.max / 1e6
    figures.rssMax = Math.max(figures.rssMax, process.memoryUsage.rss())
    // Whoever reads the file finds all of it, or what was there before.
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
