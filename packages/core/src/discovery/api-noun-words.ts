/**
 * More lines of the table of everyday words, by what public APIs have: the nouns that at least six of their providers use, in paths
 * and types, and what people who know no API call these. Written from that list and not from goals (TEACH-53, docs/adr/0224), in the
 * form that everyday-words.ts explains.
 */
export const API_NOUN_LINES = `
individual guy woman man folk > person contact user
customer client patron guest > customer account contact
prospect lead > lead contact opportunity
clientele > customer
acquaintance friend buddy pal > contact follower user connection
follower fan > follower subscriber user
boss manager supervisor chief head > manager user employee
staff workforce personnel headcount colleague coworker teammate worker > employee user member team
hire hiring recruit recruiter > candidate job application employee
applicant interviewee > candidate application
cv resume curriculum > resume candidate profile
vacancy opening position > job position
salary wage paycheck payslip > payroll compensation employee
leave holiday vacation time-off day-off sick > leave absence holiday
onboard newcomer joiner > onboarding employee user invitation
fire fired dismiss layoff resign > termination employee
freelancer contractor consultant > contractor vendor user
shift rota roster duty on-call > schedule shift
timesheet hours worked > time entry timesheet
intern trainee apprentice > employee student
department division unit squad crew tribe > department team group
committee council board > group board organization
firm company corporation enterprise business employer startup > company organization account
subsidiary > organization location
headquarters office premises > office location address site
nickname handle alias screen-name > username name alias
surname firstname forename > name
biography bio about-me > profile biography
selfie headshot mugshot portrait > avatar photo picture
birthday birthdate age > birth date person
sex > gender
spouse > person contact
address street postcode zipcode zip > address location
telephone cellphone mobile landline > phone number device
e-mail mailbox > email address
signup sign-up join joining enroll enrol enrolment > registration membership account user
login logon log-in sign-in signin > session login authentication
logout log-off sign-out > session logout
locked-out lockout > account user password
passphrase pin passcode > password credential
forgot forgotten recover > password reset recovery
two-factor second-factor otp authenticator > mfa authentication verification
sso > identity provider authentication
apikey api-key secret-key > key token credential
certificate ssl tls > certificate
allowed permitted entitled > permission role access
privilege rights clearance > permission role
grant revoke > permission access token
block ban banned blacklist blocklist > block ban suspension
impersonate behalf > user session
owner possess belong belonging > owner ownership
invite invitation guest-link > invitation member
kick expel evict boot-out > remove member ban
promote demote > role member
community tribe circle > group community forum
newsletter mailing circular > newsletter campaign subscription
unsubscribe opt-out optout > subscription preference
survey questionnaire poll ballot > survey poll form
vote voting upvote downvote > vote poll reaction
answer reply response respond > reply response answer comment
question ask asked > question ticket
opinion think thought > review comment feedback
complain complaint grievance > complaint ticket case
praise compliment thank > feedback review reaction
thumbs heart emoji smiley applause > reaction like
like liked love loved > like reaction favorite
share sharing forward > share post
repost retweet reblog > share post
tweet toot status-update > post status
hashtag keyword label tag > tag label
mention mentioned ping tagged > mention notification
timeline wall newsfeed > feed timeline post
chat conversation talk dialogue discussion > conversation channel thread message discussion
dm direct-message private-message whisper > message conversation
room chatroom > channel room
post posted posting > post message
write wrote written > message comment post note
said say tell told > message comment
announce announcement news > announcement news post
headline article story press-release > article post news
blog blogger > post blog
editor journalist columnist reporter > author editor
paragraph text wording body > content text block
heading title headline > title heading
page webpage subpage wiki > page
site website homepage web-site > site page url
link url hyperlink web-address > link url
shortlink short-link > link url
redirect forwarding > redirect url
draft unfinished unpublished > draft
publish go-public release > publish publication release
embed widget > embed widget
template boilerplate blueprint layout > template
theme look appearance > theme design
logo brand branding > logo brand
picture photo photograph pic image illustration drawing artwork > image photo picture
thumbnail preview miniature > thumbnail preview image
icon symbol favicon > icon
clip movie film footage video recording > video recording media
song track tune music melody > track song music
album record lp > album
playlist mixtape > playlist
band singer artist musician composer rapper > artist
gig show performance festival > event concert
podcast episode > podcast episode
radio broadcast livestream stream > stream broadcast
director cast > cast person credit
series tv-show season > series episode season
book novel paperback hardcover > book
novelist poet > author
read reader reading > book reader
library librarian borrow lend loan > loan library
bookshop bookstore publisher publishing-house > publisher store
comic manga > comic issue
dictionary word vocabulary term definition > word entry lexeme term
translation interpreter > translation language
language tongue dialect > language locale
pronunciation spelling > pronunciation word
course lesson class lecture tutorial > course lesson
pupil student learner > student user
teacher professor instructor tutor lecturer > teacher instructor
school college campus academy > school institution
exam test quiz grade mark > exam grade score
homework coursework > assignment
diploma degree > certificate
museum gallery exhibition exhibit > exhibition museum object
painting sculpture statue > artwork piece object
painter sculptor craftsman > artist maker
game play gamer player > game player
level stage quest mission > level quest
score points highscore ranking leaderboard > score leaderboard rank
trophy award medal prize achievement > achievement badge award
match fixture round tournament > match tournament game
team club squad > team club
coach trainer > coach
race lap > race
bet odds gambling > bet odds
monster creature beast enemy > monster creature
spell magic wizard sorcerer > spell
weapon armor armour gear > equipment weapon
hero character avatar > character
card deck trading-card > card set
money cash funds dollars euros pounds > amount payment balance
cost price expensive cheap charge fee costs > price cost fee
pay paid paying payment > payment charge invoice
bill billing invoice > invoice bill
receipt slip > receipt charge
refund reimburse give-back money-back > refund
chargeback dispute disputed > dispute
unpaid owe owing outstanding overdue arrears debt > invoice balance
dunning remind reminder > reminder invoice
deposit withdraw withdrawal > transaction deposit payout
transfer wire remit remittance > transfer payment
payout disbursement cash-out earnings > payout
credit-card debit-card plastic visa mastercard > card payment
iban account-number bank > bank account
wallet purse > wallet balance
currency exchange-rate forex > currency rate
tax vat duty > tax
tip gratuity > tip
income revenue turnover sales takings > revenue sale payment
expense expenditure spending > expense
budget > budget
profit margin > profit report
ledger bookkeeping accounting > ledger journal entry account
accountant bookkeeper > accountant user
loan mortgage credit interest > loan credit
instalment installment > installment payment
policy coverage premium > policy insurance
claim damage > claim
share stock equity security bond > stock security quote
portfolio holding investment > portfolio position holding
coin crypto bitcoin ether > coin currency wallet
subscription subscribe membership plan > subscription plan membership
renew renewal expire expiry > subscription renewal expiration
trial free-trial > trial subscription
upgrade downgrade > plan subscription
cancel terminate quit > cancellation cancel subscription
discount rebate coupon voucher promo promotion special-offer deal > coupon discount promotion
gift present gift-card > gift card
loyalty reward bonus > loyalty reward points
donation donate charity > donation
product article merchandise goods item ware > product item
catalogue assortment range > catalog product
sku barcode ean > sku product
variant size colour color flavour > variant option
stock inventory supply availability sold-out in-stock > inventory stock
warehouse depot storeroom > warehouse location inventory
supplier vendor wholesaler manufacturer maker > supplier vendor manufacturer brand
shop store webshop storefront boutique > store shop
shopkeeper retailer merchant dealer seller > seller merchant
buyer purchaser shopper bidder > buyer customer
buy bought purchase purchased > order purchase
sell sold selling > sale order listing
basket cart trolley > cart
checkout > checkout order
order ordered > order
offer bid auction haggle negotiate > offer bid negotiation
quote estimate quotation > quote estimate
classified advert listing > listing advertisement
used second-hand condition > condition listing
wishlist favourite bookmark starred saved > wishlist favorite bookmark
compare comparison > comparison
parcel package delivery shipment consignment > shipment package delivery
courier carrier postman > carrier
deliver ship shipped send-off dispatch > shipment delivery fulfillment
tracking whereabouts > tracking shipment
return send-back > return refund
customs import > customs
pallet crate > crate package container
truck lorry van vehicle car automobile > vehicle
driver chauffeur trucker > driver
fleet > fleet vehicle
fuel mileage odometer > fuel vehicle
workshop repair > repair service
spare component > part component
trip journey ride tour voyage > trip route
route itinerary way path > route
stop station halt platform terminal > stop station
bus train metro subway > line route vehicle
boat ship vessel yacht > boat ship vessel
harbour harbor port marina dock quay berth > port berth visit
captain skipper crew sailor > captain crew person
flight plane aircraft airline > flight aircraft
gate > airport
passenger traveller traveler rider commuter > passenger
fare ticket boarding-pass > fare ticket
hotel room accommodation lodging > hotel room
book booking reserve reservation booked > booking reservation appointment
table diner > restaurant
menu dish meal > menu dish
ingredient recipe > recipe ingredient
tree plant bush orchard > tree plant
harvest crop yield pick > harvest crop
farm field > farm field
animal livestock > animal pet
lift elevator escalator hoist crane > lift elevator facility
building house apartment flat property > property building
tenant landlord rent lease > tenant lease
realtor estate-agent > agent
city town village place municipality > city location place
country nation state > country
region area district province > region area
map coordinate latitude longitude position gps > location coordinate
nearby near distance far close-by > location distance
temperature > weather forecast
sensor thermometer gauge probe > sensor device
reading measurement measure value > measurement reading sample value
power energy consumption > energy consumption
doctor physician medic specialist surgeon dentist gp > doctor practitioner
patient sick ill > patient
appointment consultation checkup check-up visit > appointment visit
clinic hospital ward > clinic hospital organization
medicine drug pill tablet medication antibiotic > prescription medication drug
prescription prescribe refill dosage > prescription
diagnosis illness disease symptom condition > diagnosis condition note
allergy allergic > allergy patient
vaccine vaccination shot jab > immunization
lab blood > result observation
xray x-ray scan mri ct ultrasound > image study series
chart anamnesis findings > note record observation
nurse midwife > practitioner user
anonymise anonymize pseudonym deidentify > anonymization
task todo to-do chore action-item > task issue
ticket issue bug defect problem incident > issue ticket incident
feature-request wish suggestion idea > issue feedback feature
backlog kanban scrum sprint iteration > iteration sprint milestone board
story epic user-story > issue story
deadline due date due-date > milestone due version
milestone roadmap goal > milestone roadmap version
assignee responsible in-charge assigned > assignee user
reporter > author user
blocker blocked depends-on duplicate > relation dependency link
subtask checklist > task checklist
estimate effort story-points > estimate field
status state phase stage progress > status state
urgent urgency priority important > priority
category kind type sort-of class > category type
project undertaking initiative > project
member participant attendee > member participant
history changelog audit changes edited who-changed > history event audit activity journal
activity recent lately going-on > activity event
log logs logging logfile trace > log
comment remark annotation note > comment note
attachment attach upload file > attachment file upload
file document paper pdf spreadsheet > file document
folder directory drive > folder directory
download export dump > download export file
import ingest load-in > import
backup restore snapshot > backup snapshot
trash bin deleted recycle > deleted trash
archive archived put-away > archive
version revision edition > version revision release
search find look-for lookup > search
filter criteria > filter
report statement statistics stats figures analytics numbers > report statistics metric
dashboard overview summary glance > dashboard overview summary
kpi metric indicator > metric
trend trending popular hot viral > trending popular top
count number-of how-many > count
view views visited impressions hits > view impression statistic
click clicked > click
visitor audience > visitor session
campaign ad advert advertisement advertising > campaign ad
segment target-group audience > segment audience
calendar agenda diary > calendar event
event meeting appointment-event get-together session > event meeting
schedule timetable plan rota > schedule
reschedule postpone move-date > appointment event
remind alarm reminder > reminder alert
slot time-slot free-time availability > slot availability
call phone-call ring dial voicemail > call
text sms text-message > message sms
fax > fax
number phone-number > number
sim simcard esim > sim
network operator roaming > network
megabytes gigabytes mb gb data-volume > usage data
tariff allowance quota limit cap > limit quota plan
modem router tracker gadget > device
device phone handset tablet smartphone > device
android iphone > device
reboot restart reset power-cycle > reboot restart action
firmware > firmware version
server machine vm instance host node > server instance machine
cpu ram memory cores > size cpu memory
disk volume ssd > volume disk
operating-system os distro > image
kernel > image
data-center datacenter > region location
firewall port open-port > firewall rule
dns nameserver domain hostname subdomain > domain record
mx cname txt > record
ip ip-address > ip address
load-balancer balancer > balancer
cluster kubernetes pod > cluster
container docker > container image
registry image-registry > registry repository
layer blob > layer blob manifest
deploy deployment rollout roll-out go-live ship-it release-live > deployment release
app application program software > application app
config configuration setting settings preference option > configuration setting
environment staging production env > environment
variable env-var > variable
build compile compiled ci > build pipeline run workflow job
pipeline ci-run run > pipeline run workflow
job step task-run > job
artifact binary output > artifact
test unit-test failing-test > test check
lint check checks > check
commit changeset check-in > commit
diff change patch modified > diff change commit
branch fork clone > branch repository
merge merged pull-request pr merge-request mr > pull request merge
code source source-code codebase > repository file content
repo repository > repository project
review reviewer approve approval approved > review approval
release launch ship-version > release version
maintainer committer contributor developer coder programmer author > contributor user author
license licence > license
dependency library package module > package dependency
vulnerability cve security-hole exploit weakness > vulnerability
malware virus trojan infected > malware scan
scan scanned scanner audit > scan check
compliance policy rule guideline > policy rule
exception waiver whitelist allowlist > exception policy
secret leaked > secret credential
monitor monitoring watch observe > monitor monitoring
alert alarm warning > alert
outage downtime down broken > incident status health
uptime alive healthy health > health status
slow latency response-time performance > latency metric
error failure failed crash > error failure event log
exporter scrape target > target
query promql > query
queue > queue message
retry rerun again > retry run job
cron scheduled periodic nightly recurring > schedule job
trigger automation automatic automate > trigger workflow automation rule
webhook callback hook > webhook
integration connector connection plugin plug-in add-on > integration connection connector plugin
sync synchronise synchronize replicate > sync connection job
source origin > source
destination target-system sink > destination
table column row > table column row
database db datastore > database
collection bucket > collection bucket
record entry > record entry
schema structure model format > schema model
field attribute property column > field property attribute
key identifier id > key identifier
function lambda serverless > function
execution invocation executed > execution run
api endpoint interface > api service operation
openapi swagger specification spec > specification api document
mock stub fake simulate sandbox > mock
example sample > example sample
quota rate-limit throttled > limit quota
health-check ping heartbeat > health status
maintenance > maintenance
admin administrator superuser > admin role user
moderator mod > moderator group
account profile > account profile user
preference > preference setting
timezone time-zone > timezone
country-code dial-code > country phone
qr qrcode qr-code > qr code
flag > flag country
browser > browser session
logged-in signed-in > session
inbox mailbox unread > notification message inbox
notify notification notice > notification
bell > notification
pin pinned sticky > pin
mute silence snooze > mute notification
channel room-channel > channel
topic thread subject > topic thread
forum board message-board > forum category topic
section category subforum > category
badge medal > badge
trust-level rank > level
spam spammer junk > spam flag
flagged reported abuse > flag report
suspended suspend > suspension
ministry minister government authority > ministry minister
politician senator president > minister person
law act regulation > law regulation
court judge lawsuit > case court
attorney > lawyer
contract agreement terms > contract agreement
sign signed signature > signature document
form fill-in > form
consent gdpr privacy > consent
identity id-card > identity document
crime police > incident
slide slideshow carousel > slide
theme subject-area > theme topic
sector industry > sector industry
service offering > service
provision provisioned > provision instance service order
credential login-data > credential
workspace space tenant > workspace team
team group squad > team group
node block > block
parent child nested sub > parent child
relation linked related > relation link
illustrator drew drawn > illustrator
rarity rare uncommon > rarity
expansion booster > set
hit-points hp health-points > hp
attack damage > attack damage
class profession > class
ability strength dexterity > ability score
`;
