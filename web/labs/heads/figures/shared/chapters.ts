/**
 * Text that the reader was never trained on (`web/models/reader.json` names the sections that were kept out), as the
 * training got it: from Moby-Dick (Melville 1851, public domain), without accents.
 */

/** From chapter 6: whatever is chosen or learned is chosen and learned on this. */
export const choosing =
  'If I had been astonished at first catching a glimpse of so outlandish an individual as Queequeg ' +
  'circulating among the polite society of a civilized town, that astonishment soon departed upon ' +
  'taking my first daylight stroll through the streets of New Bedford. In thoroughfares nigh the ' +
  'docks, any considerable seaport will frequently offer to view the queerest looking nondescripts ' +
  'from foreign parts. Even in Broadway and Chestnut streets, Mediterranean mariners will sometimes ' +
  'jostle the affrighted ladies. Regent Street is not unknown to Lascars and Malays; and at Bombay, ' +
  'in the Apollo Green, live Yankees have often scared the natives. But New Bedford beats all Water ' +
  'Street and Wapping. In these last-mentioned haunts you see only sailors; but in New Bedford, ' +
  'actual cannibals stand chatting at street corners; savages outright; many of whom yet carry on ' +
  'their bones unholy flesh. It makes a stranger stare. But, besides the Feegeeans, Tongatobooarrs, ' +
  'Erromanggoans, Pannangians, and Brighggians, and, besides the wild specimens of the whaling- ' +
  'craft which unheeded reel about the streets, you will see other sights still more curious, ' +
  'certainly more comical. There weekly arrive in this town scores of green Vermonters and New ' +
  'Hampshire men, all athirst for gain and glory in the fishery. They are mostly young, of stalwart ' +
  'frames; fellows who have felled forests, and now seek to drop the axe and snatch the whale- ' +
  'lance. Many are as green as the Green Mountains whence they came. In some things you would think ' +
  'them but a few hours old.';

/** From chapter 26: whatever is measured is measured on this. */
export const measuring =
  'The chief mate of the Pequod was Starbuck, a native of Nantucket, and a Quaker by descent. He ' +
  'was a long, earnest man, and though born on an icy coast, seemed well adapted to endure hot ' +
  'latitudes, his flesh being hard as twice-baked biscuit. Transported to the Indies, his live ' +
  'blood would not spoil like bottled ale. He must have been born in some time of general drought ' +
  'and famine, or upon one of those fast days for which his state is famous. Only some thirty arid ' +
  'summers had he seen; those summers had dried up all his physical superfluousness. But this, his ' +
  'thinness, so to speak, seemed no more the token of wasting anxieties and cares, than it seemed ' +
  'the indication of any bodily blight. It was merely the condensation of the man. He was by no ' +
  'means ill-looking; quite the contrary. His pure tight skin was an excellent fit; and closely ' +
  'wrapped up in it, and embalmed with inner health and strength, like a revivified Egyptian, this ' +
  'Starbuck seemed prepared to endure for long ages to come, and to endure always, as now; for be ' +
  'it Polar snow or torrid sun, like a patent chronometer, his interior vitality was warranted to ' +
  'do well in all climates. Looking into his eyes, you seemed to see there the yet lingering images ' +
  'of those thousand-fold perils he had calmly confronted through life. A staid, steadfast man, ' +
  'whose life for the most part was a telling pantomime of action, and not a tame chapter of ' +
  'sounds. Yet, for all his hardy sobriety and fortitude, there were certain qualities in him which ' +
  'at times affected, and in some cases seemed well nigh to overbalance all the rest.';
