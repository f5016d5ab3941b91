import { FEW } from '../../platform/kit/fair-queue.ts'
import type { DeliveryTarget } from './delivery.ts'

/** The maximum numbers of concurrent attempts: of a process, of one organization in it, and of each channel. */
export interface SlotLimits {
  process: number
  organization: number
  /** The number of attempts of the process that only organizations with fewer than `FEW` under way make. */
  reserved: number
  /** Returns the limit of a channel; undefined = none of its own. */
  findChannelLimit(channel: string): number | undefined
}

/** Counts the attempts under way in a process, so that no organization and no channel uses all of them. */
export class SendSlots {
  readonly #limits: SlotLimits
  readonly #counts = new Map<string, number>()
  #total = 0

  constructor(limits: SlotLimits) {
    this.#limits = limits
  }

  /** Whether the process makes as many attempts as it may. */
  get isFull(): boolean {
    return this.#total >= this.#limits.process
  }

  /** Whether another attempt at a receiver may begin. */
  isFree({ organizationId, channel }: DeliveryTarget): boolean {
    const { process, organization, reserved, findChannelLimit } = this.#limits
    const freeCount = process - this.#total
    const ownCount = this.#count(organizationId)
    return (
      freeCount > 0 &&
      (freeCount > reserved || ownCount < FEW) &&
      ownCount < organization &&
      this.#count(channel) < (findChannelLimit(channel) ?? Infinity)
    )
  }

  /** Reports that attempts at a receiver begin. */
  begin(target: DeliveryTarget): void {
    this.#add(target, 1)
  }

  /** Reports that they have ended. */
  end(target: DeliveryTarget): void {
    this.#add(target, -1)
  }

  #add({ organizationId, channel }: DeliveryTarget, change: 1 | -1): void {
    this.#total += change
    // The id of an organization is never the name of a channel.
    for (const key of [organizationId, channel]) {
      const count = this.#count(key) + change
      if (count === 0) this.#counts.delete(key)
      else this.#counts.set(key, count)
    }
  }

  #count(key: string): number {
    return this.#counts.get(key) ?? 0
  }
}
