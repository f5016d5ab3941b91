// Before the first paint: the appearance that was chosen here, if it differs from the system's.
try {
  const theme = localStorage.getItem('portbook-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage may be closed to us; then the system decides.
}
