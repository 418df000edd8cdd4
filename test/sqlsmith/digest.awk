# digest.awk
#	What a server's log tells of a round of SQLsmith, as lines of tab-separated
#	fields:
#
#	ended	SQLSTATE and message's class	count
#	scan	RowsetScan	count		in plans that were logged
#	stands	stands: name	count	statements that went well in which it stands
#	longest	milliseconds
#	slow	milliseconds	settings	statement
#	crash, internal	what it was, with the round and the statement
#
# Variables: seed and settings of the round; names, a file with rowser's calls.
# Lines begin with time, zone, [process] and, in a session, the database.

BEGIN {
	FS = "\t"
	while ((getline name < names) > 0)
		calls[name] = 1
	slow = 5000
	round = "seed " seed ", " settings
}

# The lines of a statement or a plan after its first one
/^\t/ {
	if ($0 ~ /Custom Scan \(RowsetScan\)/)
		nscans++
	if (statement != "" && length(statement) < 20000)
		statement = statement " " substr($0, 2)
	next
}

{
	end_statement()
	is_head = match($0, /(LOG|ERROR|FATAL|PANIC|WARNING|DETAIL|HINT|CONTEXT|LOCATION|STATEMENT|QUERY|TRAP):  ?/)
	level = substr($0, RSTART, RLENGTH)
	text = substr($0, RSTART + RLENGTH)
	sub(/:.*/, "", level)
	match($0, /\[[0-9]+\]/)
	process = substr($0, RSTART + 1, RLENGTH - 2)
}

# A parallel worker whose leader is gone exits with a code, too.
/^TRAP:|terminated by signal|server process .* exited with exit code/ {
	print "crash\t" $0 " (" round ")"
	if (last_statement != "")
		print "crash\tafter: " last_statement
}

!is_head { next }

level == "PANIC" { print "crash\t" text " (" round ")" }

level == "LOG" && text ~ /duration: [0-9.]+ ms  (statement|execute)/ {
	milliseconds = text
	sub(/.*duration: /, "", milliseconds)
	statement = text
	sub(/.*(statement|execute [^:]*): /, "", statement)
	went_well = 1
	milliseconds += 0
	began[process] = now()
	next
}

# The time since the session's last statement ended; SQLsmith asks for a
# transaction once it has the statement that it is going to run.
level ~ /^(ERROR|FATAL)$/ {
	state = substr(text, 1, 5)
	message = substr(text, 8)
	milliseconds = (process in began) ? now() - began[process] : 0
	began[process] = now()
	errors[process] = state " " message
	ended[state " " class(message)]++
}

level == "LOCATION" && process in errors {
	located[process] = text
}

level == "STATEMENT" {
	statement = text
	went_well = 0
}

# Say what there is to say of a statement that is complete.
function end_statement(	name)
{
	if (statement == "")
		return
	if (milliseconds > longest)
		longest = milliseconds
	if (milliseconds >= slow)
		print "slow\t" milliseconds "\t" settings "\t" statement
	if (went_well) {
		if (statement !~ /^(BEGIN|ROLLBACK|COMMIT|set |select version)/) {
			ended["00000 successful completion"]++
			for (name in calls) {
				if (statement ~ ("[. ]" name "\\("))
					stands[name]++
			}
		}
	} else if (process in errors) {
		if (errors[process] ~ /^XX000/)
			print "internal\t" errors[process] ", at " located[process] " (" round "): " statement
		delete errors[process]
		delete located[process]
	}
	last_statement = statement
	statement = ""
}

# Milliseconds of the day at which the line was written
function now(	parts)
{
	split(substr($0, 12, 12), parts, /[:.]/)
	return ((parts[1] * 60 + parts[2]) * 60 + parts[3]) * 1000 + parts[4]
}

# A message without what differs from one statement to the next
function class(message)
{
	sub(/ at character [0-9]+$/, "", message)
	gsub(/"[^"]*"/, "\"...\"", message)
	gsub(/[0-9]+/, "N", message)
	sub(/(does not exist|is not unique|syntax for type [a-z ]+):.*/, "...", message)
	return substr(message, 1, 70)
}

END {
	end_statement()
	for (process in errors) {
		if (errors[process] ~ /^XX000/)
			print "internal\t" errors[process] ", at " located[process] " (" round ")"
	}
	for (state in ended)
		print "ended\t" state "\t" ended[state]
	for (name in stands)
		print "stands\tstands: " name "\t" stands[name]
	print "scan\tRowsetScan\t" nscans + 0
	print "longest\t" longest + 0
}
