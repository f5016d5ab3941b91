const RELOADS_KEY = 'portbook-reloads'
const NOTICE_KEY = 'portbook-reloaded'
const RELOADS_MAX = 20

/** The functions of a browser tab that reloading needs. */
export interface BrowserTab {
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  reload: () => void
}

function thisTab(): BrowserTab {
  return { storage: sessionStorage, reload: () => globalThis.location.reload() }
}

/**
 * Reloads the page unless this tab was already reloaded for the same reason. Returns whether it reloads.
 * Drafts stay in the tab's storage. Without storage it never reloads: nothing could end a loop.
 */
export function reloadOnce(reason: string, getTab: () => BrowserTab = thisTab): boolean {
  try {
    const { storage, reload } = getTab()
    const reasons: unknown = JSON.parse(storage.getItem(RELOADS_KEY) ?? '[]')
    const known = Array.isArray(reasons) ? reasons : []
    if (known.includes(reason) || known.length >= RELOADS_MAX) return false
    storage.setItem(RELOADS_KEY, JSON.stringify([...known, reason]))
    storage.setItem(NOTICE_KEY, reason)
    reload()
    return true
  } catch {
    return false
  }
}

/** Returns true the first time after such a reload. */
export function takeReloadNotice(getTab: () => BrowserTab = thisTab): boolean {
  try {
    const { storage } = getTab()
    const isReloaded = storage.getItem(NOTICE_KEY) !== null
    storage.removeItem(NOTICE_KEY)
    return isReloaded
  } catch {
    return false
  }
}
