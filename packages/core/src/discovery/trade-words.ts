/**
 * More lines of the table of everyday words, by the trades that people speak of: who acts, money, shops, health, code and servers,
 * measures, forums, games, travel, collections, publishing. Written in the form that everyday-words.ts explains (TEACH-48).
 */
export const TRADE_LINES = `
reader > customer user member
musician > artist user reviewer
student > user customer
player gamer > user character
resident citizen inhabitant > person
visitor > visit user guest
spammer troll > user
boss manager supervisor > user member role
nurse > user staff
pediatrician cardiologist dermatologist dentist surgeon > doctor
practitioner > doctor
publisher > provider author
issuer > provider
speaker > user language
teammate > member user
subscriber > subscription customer
employee colleague > member
registered > user member registration
community > forum group member
crew > member person
captain skipper sailor > person owner
premier president > minister
privately private > private message
whisper > private message
ping pinged mention > notification
silence mute > suspend silence
take-off kick-out > remove membership
belong > member group
log-on > network access session login
register sign-up > registration user
write wrote > message note comment
say said > message comment post review
tell told > message
text > sms command message
arrive arrival > delivery received
sent > outgoing message
received > incoming
missing > status
transfer > transaction payout
collect capture > payment charge
collect > capture
reserve reserved > authorization capture
authorization > payment capture void
settle settled > payment batch settlement
still-pay > invoice unpaid
discount percent-off > coupon
earn earned > payment charge fee payout
spend spent > order payment amount
credit > balance customer
deduct deducted > fee adjustment payout
instalment installment > invoice payment plan
quote estimate > offer price
owed debt > invoice balance unpaid
ship shipped > order shipment shipping
send-off > shipment
sold > sale selling order listing
favourite favorite > star wishlist follow
eye > watch wishlist
second-hand > condition listing
instrument guitar bass drum piano synthesizer amplifier > product listing instrument
dealer > seller shop
bestseller > top order
genre > category
copy > line order item
allergy allergic > patient
refill > prescription
dose dosage > prescription drug
surgery operation > procedure note
ct mri xray > study series image
dicom > study image
avro protobuf > schema artifact
schema > artifact specification
compatibility > rule
library dependency > package
uses > package
architecture platform > manifest image
go-live > deployment
stale outdated > old status
dockerfile readme > content file
develop trunk master > branch
reached ahead behind > compare comparison
automatically > workflow automation
at-risk risk > status update
progress far-along > milestone version status
come-out > release version
trending hot > top popular latest
trophy > badge
most-active > activity directory
dragon goblin zombie vampire > monster creature
elf dwarf halfling > race
wizard cleric barbarian paladin fighter rogue > class
sword dagger spear bow shield helmet > weapon equipment
stealth > skill
chaotic lawful > alignment
combat battle > rule combat
cherry pear apple plum > tree fruit harvest
kilo kilogram > weight quantity harvest
bear bore > yield harvest
crossing sail > trip
dock berth moor mooring > visit
amphora vase statue bust painting > piece artwork
exhibit exhibition > piece collection
hang > piece
spelling vocabulary > word language
gpu > size region
mail-address email-address > email
address > email
point > record
forget reset > state
by-hand manually > trigger sync run
tracker meter sensor truck > device
roam roaming > network
gb mb > data usage limit
mobile > phone sim
wheelchair accessible barrier > elevator lift facility
platform > station
directory folder > directory
land lands > incoming
column > field option
wiki > page search
lead > owner member
finished done complete completed > status task action
storefront website webapp > app site
subdomain hostname nameserver > record domain
power-off power-on boot > action start stop
port inbound outbound > firewall rule
ubuntu debian linux windows > image system
layer > blob
env environment-variable > config configuration
entrypoint command > config
digest sha checksum hash > manifest
added removed lines > file diff change
green red > status check run
installer binary exe executable > asset download release
snippet paste > gist
estimate point > field value
minutes transcript > page note
checklist to-do > block task
paragraph heading sentence > block
latency throughput rate > metric value sample
trend graph chart curve > range series history metric
retention retained > storage
uptime > server status
work worked worklog > time entry
blocked blocks depend depends blocker > relation dependency
saved-filter saved-view > query
mentioned mention > search hit
dispute chargeback > charge
revenue turnover > charge payment
depart departure leave sail > trip
delay delayed late > trip status
board boarding seat > ticket trip
plant planted grow grown > tree plot
repair repaired mend > dock part
replicate etl ingest > connection sync job
attempt retry > attempt job
licence license > package policy
leak leaked > secret search
base-image parent > manifest image dockerfile
lambda function > execution
collection > document
initials > avatar initial
promote boost > bump
anonymise anonymize pseudonym > anonymization
scanner modality > series study
apn > network profile
airline train bus coach > trip line
stamp sticker card trading > card collection
evolve > stage
element > type
artist illustrator > illustrator maker
condition mint > condition
postage freight carriage > shipping profile
away holiday absent > vacation
haggle bargain counter-offer > negotiation offer
promo promotion voucher > coupon
redeemed redeem redemption > coupon
vendor > seller shop
stay guest > visit booking
logbook diary > log journal
permit registration certificate > paper document
authority bureau > office
summary overview short > digest summary
fleet > stats
flag report > flag review
suspended banned ban > suspend user
moderate moderation > moderator review
popular viewed > top
unanswered > question discussion topic
correspondent reporter journalist > author user
headline teaser banner > slide post
gazette bulletin > newsletter edition
department agency authority > ministry organization
industry branch-economy > sector
contract conformance > test conformance
dependency breaking > compatibility rule
phone handset smartphone > device
spare component replacement > part
cpu ram memory load > metric usage size
bandwidth megabyte > usage data
blood sick ill disease diagnosis > patient note
tablet pill medication drug > prescription medicine
therapy treatment treat > prescription doctor appointment
consult consultation > appointment
rollback revert > deployment undo
approve approved sign-off > review approval
subscription plan > plan price
recurring monthly > subscription price
cancel cancelled > subscription status
expire expired expiry > status date
trial > subscription
workspace > team
handle mention > usergroup
topic > channel discussion
attachment screenshot > file upload
pin pinned > pin
bookmark link > bookmark
emoji > reaction
return returned exchange > refund order
gift present > order product coupon
warranty guarantee > product order
checkout basket > cart order
variant > product option
declined bounced > charge payment failure
direct-debit mandate > payment method
deposit > payment balance
interest > rate charge
iban > bank account
overdraft > balance
allergen vaccine vaccination > patient
ward bed > patient
diagnosis symptom > patient note
luggage baggage > booking passenger
gate terminal > flight station
timetable itinerary > schedule trip stop
route > line trip
captain pilot driver > person user
cabin seat berth > booking
homework exam quiz > assignment test
semester term > course
curriculum syllabus > course
candidate applicant > person user
vacancy position > job
interview > event appointment
onboarding > task page
reminder nudge > notification message
broadcast announcement > message post
voicemail ringtone > call message
newsletter digest > subscription post
transcript subtitle caption > text file
spreadsheet workbook > file sheet table
slide-deck presentation > file document
signature seal > document
archive zip backup > file backup
checksum fingerprint > key digest
passphrase pin-code > password credential
two-factor otp > session credential
impersonate > session user
audit trail > event log
outage downtime > alert incident status
heartbeat ping > health status
canary bluegreen > deployment
hotfix patch > release commit
diffstat blame > commit diff
stash rebase squash > commit branch
codeowner reviewer > review user
lint linter coverage > check run
flaky > test run
runner agent > server device
quarantine > status
firmware os > version device
handset modem router > device
subnet gateway vpn > network
latency jitter > metric
humidity pressure voltage > measurement sensor
greenhouse field > plot
crop > harvest tree
livestock cattle > animal
excavation relic artefact > piece
loaned borrowed > loan
curate curated > collection
anthem chorus > song
podcast broadcast > episode
season > series episode
chapter verse > part
typo misprint > text word
dialect accent > language
pronunciation > word language
referee coach > person
tournament fixture match > event game
standings leaderboard > ranking top
`;

/** Words of what no API here is about: where no catalog holds them, a sentence is about something else (TEACH-48). */
export const ELSEWHERE_LINES = `
weather forecast rain rainy snow sunny windy umbrella sunrise sunset tide pollen eclipse thunder fog sky moon >
cook boil bake fry roast oven soup pasta pizza risotto egg banana tomato potato onion wine beer coffee tea breakfast lunch dinner restaurant vegan calorie delicious taste >
sleep headache flu fever diet yoga gym workout pharmacy hairdresser haircut barber pregnant >
bedroom bathroom kitchen sofa lamp heating thermostat laundry washing vacuum garden lawn fridge rubbish balcony wallpaper >
airport taxi hostel passport beach motorway highway traffic parking petrol bike bicycle tram ferry tourist sightseeing >
cinema television actor actress lyric jazz concert theatre opera football soccer tennis basketball league olympic marathon chess crossword lottery horoscope joke riddle puzzle poem dance juggle >
capital population mountain river lake ocean planet galaxy king queen pope mayor revolution century dinosaur universe >
arithmetic multiply root equation translate grammar verb pronounce >
mother father wife husband brother sister grandmother grandfather wedding anniversary cat dog kitten puppy pet bee elephant cheetah penguin horse >
shoe dress shirt scarf tie jacket flower grocery milk bread supermarket >
tyre engine noise mechanic plumber electrician electricity insurance neighbour neighbourhood >
sing knit sew climb swim surf ski hike camp walk wear >
deep fast bone >
sugar salt pepper juice chocolate rice carrot cheese butter meat chicken beef salad cake sandwich sauce spicy >
golf cricket rugby skate poker casino gamble toy playground circus >
ant spider snake bird duck whale shark lion tiger wolf fox cow pig goat rabbit mouse insect >
university church cathedral castle zoo palace pyramid garage cottage >
lawyer notary babysitter butcher baker tailor farmer soldier astronaut >
vitamin tooth skin cough stomach muscle pregnancy baby diaper toddler >
autumn winter summer christmas easter halloween >
earth mars jupiter comet gravity atom molecule >
emperor empire kingdom medieval roman viking philosopher >
`;
