import { describeFollowedSearch } from '../follows/followed-search.ts'
import type { StoredNotification } from './notification.ts'
import { newTable } from '../../../formats/name/table.ts'
import { ALL_KINDS } from '../../platform/kinds.ts'

/** A notification and the name of its actor; undefined if there is none, or the person has left. */
export type DescribedNotification = Omit<StoredNotification, 'reason' | 'readAt'> & {
  actorName?: string | undefined
}

const CALLED = newTable<string>({
  ...Object.fromEntries(ALL_KINDS.map(({ kind, called }) => [kind, called])),
  access: 'access request',
})

/** The facts of a notification, as its sentence needs them. */
export class NotificationFacts {
  readonly #notification: DescribedNotification

  constructor(notification: DescribedNotification) {
    this.#notification = notification
  }

  /** The name of the subject, or its id. */
  get name(): string {
    const { subjectName, subjectId } = this.#notification
    return subjectName ?? subjectId
  }

  /** The kind of the subject in words. */
  get called(): string {
    const { subjectKind } = this.#notification
    return CALLED[subjectKind] ?? subjectKind
  }

  /** The followed search in words; empty = the subject is none. */
  get search(): string {
    const { subjectKind, subjectId } = this.#notification
    return subjectKind === 'search' ? describeFollowedSearch(subjectId) : ''
  }

  /** ` by Ada`, or nothing. */
  get byActor(): string {
    const { actorName } = this.#notification
    return actorName === undefined ? '' : ` by ${actorName}`
  }

  get actor(): string {
    return this.#notification.actorName ?? 'A former member'
  }

  text(name: string): string | undefined {
    const value = this.#notification.data[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }

  number(name: string): number | undefined {
    const value = this.#notification.data[name]
    return typeof value === 'number' ? value : undefined
  }

  list(name: string): string[] {
    const value = this.#notification.data[name]
    return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
  }

  flag(name: string): boolean {
    return this.#notification.data[name] === true
  }

  /** An object as facts of its own. */
  object(name: string): NotificationFacts | undefined {
    return this.#toFacts(this.#notification.data[name])
  }

  /** A list of objects, each as facts of its own. */
  objects(name: string): NotificationFacts[] {
    const value = this.#notification.data[name]
    return Array.isArray(value) ? value.flatMap((one: unknown) => this.#toFacts(one) ?? []) : []
  }

  #toFacts(value: unknown): NotificationFacts | undefined {
    return typeof value === 'object' && value !== null
      ? new NotificationFacts({ ...this.#notification, data: { ...value } })
      : undefined
  }
}
