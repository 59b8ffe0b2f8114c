/** The words of the switch in every page's head, which is all that some pages need. */
export const enTheme = {
  label: 'Colours',
  auto: 'Auto',
  light: 'Light',
  dark: 'Dark',
} as const;
